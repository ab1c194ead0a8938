import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { deflateSync } from 'node:zlib';
import { MEMBER_TYPES } from './elements.ts';
import type { Bounds, OsmMember, TagEntries } from './elements.ts';
import { encodeHeader } from './header-block.ts';
import { WireWriter } from './wire-writer.ts';

export interface WriterOptions {
  bounds?: Bounds | null;
  replicationTimestamp?: number | null;
  /** Whether what is written comes as nodes, ways, relations, each by ascending id; readers may rely on it. */
  isSorted?: boolean;
  /** For reading back what others write. */
  compression?: 'zlib' | 'none';
}

const ELEMENTS_PER_BLOCK = 8000;
/** Far below the limit of 32 MiB, as it is checked only after each element. */
const BLOCK_BYTES = 8 * 1024 * 1024;

type Kind = 'node' | 'way' | 'relation';

/**
 * Writes an .osm.pbf file, without the metadata of elements: nobody's name is in it. It has its name once it is complete; before, or when
 * it is given up, there is nothing of that name.
 */
export class OsmWriter {
  private readonly path: string;
  private readonly descriptor: number;
  private readonly compression: 'zlib' | 'none';
  private kind: Kind = 'node';
  private count = 0;
  private strings = new Map<string, number>();
  private stringBytes = 0;
  private readonly columns = { ids: new WireWriter(), latitudes: new WireWriter(), longitudes: new WireWriter(), tags: new WireWriter() };
  private last = { id: 0, latitudeE7: 0, longitudeE7: 0 };
  /** Ways or relations of the present block. */
  private readonly group = new WireWriter();

  constructor(path: string, options: WriterOptions = {}) {
    this.compression = options.compression ?? 'zlib';
    this.path = path;
    this.descriptor = openSync(`${path}.part`, 'w');
    this.writeBlob('OSMHeader', encodeHeader({
      bounds: options.bounds ?? null, requiredFeatures: ['OsmSchema-V0.6', 'DenseNodes'],
      optionalFeatures: options.isSorted ? ['Sort.Type_then_ID'] : [], writingProgram: 'milkrun', replicationTimestamp: options.replicationTimestamp ?? null,
    }).content);
  }

  node(node: { id: number; longitudeE7: number; latitudeE7: number; tags?: TagEntries }): void {
    this.begin('node');
    const { ids, latitudes, longitudes, tags } = this.columns;
    ids.zigzag(node.id - this.last.id);
    latitudes.zigzag(node.latitudeE7 - this.last.latitudeE7);
    longitudes.zigzag(node.longitudeE7 - this.last.longitudeE7);
    this.last = { id: node.id, latitudeE7: node.latitudeE7, longitudeE7: node.longitudeE7 };
    for (const [key, value] of node.tags ?? []) {
      tags.unsigned(this.string(key));
      tags.unsigned(this.string(value));
    }
    tags.unsigned(0);
    this.end();
  }

  way(way: { id: number; refs: ArrayLike<number>; tags?: TagEntries }): void {
    this.begin('way');
    const message = this.element(way);
    const refs = new WireWriter();
    for (let i = 0; i < way.refs.length; i++) refs.zigzag(way.refs[i] - (i === 0 ? 0 : way.refs[i - 1]));
    message.messageField(8, refs);
    this.group.messageField(3, message);
    this.end();
  }

  relation(relation: { id: number; members: readonly OsmMember[]; tags?: TagEntries }): void {
    this.begin('relation');
    const message = this.element(relation);
    const [roles, ids, types] = [new WireWriter(), new WireWriter(), new WireWriter()];
    relation.members.forEach((member, i) => {
      roles.unsigned(this.string(member.role));
      ids.zigzag(member.id - (relation.members[i - 1]?.id ?? 0));
      types.unsigned(MEMBER_TYPES.indexOf(member.type));
    });
    message.messageField(8, roles);
    message.messageField(9, ids);
    message.messageField(10, types);
    this.group.messageField(4, message);
    this.end();
  }

  close(): void {
    // Readers want a block of data even where there is nothing.
    this.flush();
    fsyncSync(this.descriptor);
    closeSync(this.descriptor);
    renameSync(`${this.path}.part`, this.path);
  }

  /** Gives up; not to be called after a `close` that went well. */
  abandon(): void {
    closeSync(this.descriptor);
    rmSync(`${this.path}.part`, { force: true });
  }

  private begin(kind: Kind): void {
    if (kind !== this.kind && this.count > 0) this.flush();
    this.kind = kind;
  }

  private end(): void {
    this.count++;
    const { ids, latitudes, longitudes, tags } = this.columns;
    const bytes = this.group.length + this.stringBytes + ids.length + latitudes.length + longitudes.length + tags.length;
    if (this.count === ELEMENTS_PER_BLOCK || bytes > BLOCK_BYTES) this.flush();
  }

  private element({ id, tags }: { id: number; tags?: TagEntries }): WireWriter {
    const message = new WireWriter();
    const [keys, values] = [new WireWriter(), new WireWriter()];
    for (const [key, value] of tags ?? []) {
      keys.unsigned(this.string(key));
      values.unsigned(this.string(value));
    }
    message.signedField(1, id);
    if (keys.length > 0) message.messageField(2, keys);
    if (keys.length > 0) message.messageField(3, values);
    return message;
  }

  /** Text 0 is not used: in dense nodes a zero ends the tags. */
  private string(text: string): number {
    const known = this.strings.get(text);
    if (known !== undefined) return known;
    const index = this.strings.size + 1;
    this.strings.set(text, index);
    this.stringBytes += Buffer.byteLength(text) + 5;
    return index;
  }

  private flush(): void {
    const table = new WireWriter();
    table.textField(1, '');
    for (const text of this.strings.keys()) table.textField(1, text);
    const block = new WireWriter();
    block.messageField(1, table);
    if (this.count > 0) block.messageField(2, this.kind === 'node' ? this.denseGroup() : this.group);
    this.writeBlob('OSMData', block.content);
    this.clear();
  }

  private denseGroup(): WireWriter {
    const { ids, latitudes, longitudes, tags } = this.columns;
    const dense = new WireWriter();
    dense.messageField(1, ids);
    dense.messageField(8, latitudes);
    dense.messageField(9, longitudes);
    // As long as the ids where no node has tags: then it is left out.
    if (tags.length > this.count) dense.messageField(10, tags);
    const group = new WireWriter();
    group.messageField(2, dense);
    return group;
  }

  private clear(): void {
    this.count = 0;
    this.strings = new Map();
    this.stringBytes = 0;
    this.last = { id: 0, latitudeE7: 0, longitudeE7: 0 };
    this.group.clear();
    for (const column of Object.values(this.columns)) column.clear();
  }

  private writeBlob(type: string, content: Uint8Array): void {
    const blob = new WireWriter();
    if (this.compression === 'none') {
      blob.bytesField(1, content);
    } else {
      blob.numberField(2, content.length);
      blob.bytesField(3, deflateSync(content));
    }
    const header = new WireWriter();
    header.textField(1, type);
    header.numberField(3, blob.length);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(header.length);
    this.write(Buffer.concat([length, header.content, blob.content]));
  }

  private write(bytes: Buffer): void {
    for (let done = 0; done < bytes.length;) done += writeSync(this.descriptor, bytes, done);
  }
}
