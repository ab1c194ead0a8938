import { MEMBER_TYPES } from './elements.ts';
import type { OsmMember, OsmNode, OsmRelation, OsmWay, Tags } from './elements.ts';
import { NumberList } from './number-list.ts';
import { corrupt, WireReader } from './wire-reader.ts';

/** What is given to it is used again for the next element: whoever wants to keep something copies it. */
export interface ElementVisitor {
  node?(node: OsmNode): void;
  way?(way: OsmWay): void;
  relation?(relation: OsmRelation): void;
}

/** A coordinate on the wire is `offset + granularity * value` nanodegrees. */
const NANODEGREES_PER_UNIT = 100;
const LONGITUDE_E7_MAX = 180e7;
const LATITUDE_E7_MAX = 90e7;

/** Decodes the elements of one block after the other, and reads nothing of kinds that the visitor does not want. */
export class DataBlockDecoder {
  private readonly visitor: ElementVisitor;
  private readonly strings = new StringTable();
  private readonly tags = new BlockTags(this.strings);
  private readonly refs = new NumberList();
  private granularity = 100;
  private latitudeOffset = 0;
  private longitudeOffset = 0;

  constructor(visitor: ElementVisitor) {
    this.visitor = visitor;
  }

  decode(bytes: Uint8Array): void {
    const block = new WireReader(bytes);
    const groups: WireReader[] = [];
    this.granularity = 100;
    this.latitudeOffset = 0;
    this.longitudeOffset = 0;
    let strings: WireReader | null = null;
    while (block.nextField()) {
      if (block.field === 1) strings = block.content();
      else if (block.field === 2) groups.push(block.content());
      else if (block.field === 17) this.granularity = block.number();
      else if (block.field === 19) this.latitudeOffset = block.signedNumber();
      else if (block.field === 20) this.longitudeOffset = block.signedNumber();
      else block.skip();
    }
    this.strings.load(strings);
    for (const group of groups) this.group(group);
  }

  private group(group: WireReader): void {
    const { visitor } = this;
    while (group.nextField()) {
      if (group.field === 1 && visitor.node) this.plainNode(group.content());
      else if (group.field === 2 && visitor.node) this.denseNodes(group.content());
      else if (group.field === 3 && visitor.way) this.way(group.content());
      else if (group.field === 4 && visitor.relation) this.relation(group.content());
      else group.skip();
    }
  }

  private denseNodes(dense: WireReader): void {
    const columns: (WireReader | undefined)[] = [];
    while (dense.nextField()) {
      if (dense.field === 1 || dense.field === 8 || dense.field === 9 || dense.field === 10) columns[dense.field] = dense.content();
      else dense.skip();
    }
    const { 1: ids, 8: latitudes, 9: longitudes, 10: tags } = columns;
    if (!ids || !latitudes || !longitudes) throw corrupt('nodes without ids or places');
    const node: OsmNode = { id: 0, longitudeE7: 0, latitudeE7: 0, tags: this.tags };
    let latitude = 0;
    let longitude = 0;
    while (ids.hasMore) {
      node.id = exact(node.id + ids.zigzag());
      latitude += latitudes.zigzag();
      longitude += longitudes.zigzag();
      this.place(node, longitude, latitude);
      // Where no node of the group has tags the column may be missing.
      if (tags && tags.end > 0) this.tags.readDense(tags);
      else this.tags.clear();
      this.visitor.node!(node);
    }
    if (latitudes.hasMore || longitudes.hasMore || tags?.hasMore) throw corrupt('a group of nodes with more places or tags than ids');
  }

  private plainNode(message: WireReader): void {
    const node: OsmNode = { id: 0, longitudeE7: 0, latitudeE7: 0, tags: this.tags };
    let latitude = 0;
    let longitude = 0;
    this.tags.clear();
    while (message.nextField()) {
      if (message.field === 1) node.id = message.zigzagNumber();
      else if (message.field === 2) this.tags.readKeys(message.content());
      else if (message.field === 3) this.tags.readValues(message.content());
      else if (message.field === 8) latitude = message.zigzagNumber();
      else if (message.field === 9) longitude = message.zigzagNumber();
      else message.skip();
    }
    this.place(node, longitude, latitude);
    this.tags.check();
    this.visitor.node!(node);
  }

  private place(node: OsmNode, longitude: number, latitude: number): void {
    node.longitudeE7 = Math.round((this.longitudeOffset + this.granularity * longitude) / NANODEGREES_PER_UNIT);
    node.latitudeE7 = Math.round((this.latitudeOffset + this.granularity * latitude) / NANODEGREES_PER_UNIT);
    if (Math.abs(node.longitudeE7) <= LONGITUDE_E7_MAX && Math.abs(node.latitudeE7) <= LATITUDE_E7_MAX) return;
    throw corrupt(`node ${node.id} lies at longitude ${node.longitudeE7 / 1e7} and latitude ${node.latitudeE7 / 1e7}, which is nowhere on Earth`);
  }

  private way(message: WireReader): void {
    let id = 0;
    this.refs.length = 0;
    this.tags.clear();
    while (message.nextField()) {
      if (message.field === 1) id = message.signedNumber();
      else if (message.field === 2) this.tags.readKeys(message.content());
      else if (message.field === 3) this.tags.readValues(message.content());
      else if (message.field === 8) this.readRefs(message.content());
      else message.skip();
    }
    this.tags.check();
    this.visitor.way!({ id, refs: this.refs.values, tags: this.tags });
  }

  private readRefs(column: WireReader): void {
    for (let id = 0; column.hasMore;) {
      id = exact(id + column.zigzag());
      this.refs.add(id);
    }
  }

  private relation(message: WireReader): void {
    let id = 0;
    const columns: (WireReader | undefined)[] = [];
    this.tags.clear();
    while (message.nextField()) {
      if (message.field === 1) id = message.signedNumber();
      else if (message.field === 2) this.tags.readKeys(message.content());
      else if (message.field === 3) this.tags.readValues(message.content());
      else if (message.field >= 8 && message.field <= 10) columns[message.field] = message.content();
      else message.skip();
    }
    this.tags.check();
    this.visitor.relation!({ id, members: this.members(columns[8], columns[9], columns[10]), tags: this.tags });
  }

  private members(roles?: WireReader, ids?: WireReader, types?: WireReader): OsmMember[] {
    const members: OsmMember[] = [];
    for (let id = 0; ids?.hasMore;) {
      id = exact(id + ids.zigzag());
      if (!roles?.hasMore || !types?.hasMore) throw corrupt('a relation whose members lack roles or types');
      const type = MEMBER_TYPES[types.unsigned()];
      if (type === undefined) throw corrupt('a relation with a member of no known type');
      members.push({ type, id, role: this.strings.get(roles.unsigned()) });
    }
    if (roles?.hasMore || types?.hasMore) throw corrupt('a relation with more roles or types than members');
    return members;
  }
}

function exact(id: number): number {
  if (!Number.isSafeInteger(id)) throw corrupt('an id beyond 2^53');
  return id;
}

/** The strings of a block, each decoded when it is first asked for. */
class StringTable {
  private bytes: Buffer = Buffer.alloc(0);
  private starts = new Int32Array(1024);
  private decoded: (string | undefined)[] = [];
  size = 0;

  load(table: WireReader | null): void {
    this.size = 0;
    if (table) this.bytes = Buffer.from(table.bytes.buffer, table.bytes.byteOffset, table.bytes.byteLength);
    while (table?.nextField()) {
      if (table.field !== 1) {
        table.skip();
        continue;
      }
      const end = table.contentEnd();
      if (2 * this.size + 2 > this.starts.length) this.starts = doubled(this.starts);
      this.starts[2 * this.size] = table.at;
      this.starts[2 * this.size + 1] = end;
      this.size++;
      table.at = end;
    }
    this.decoded = Array.from({ length: this.size });
  }

  get(index: number): string {
    if (index >= this.size) throw corrupt(`text ${index} where the block has ${this.size}`);
    return (this.decoded[index] ??= this.bytes.toString('utf8', this.starts[2 * index], this.starts[2 * index + 1]));
  }
}

/** The tags of one element: places in the strings of its block, keys and values in turn. */
class BlockTags implements Tags {
  private readonly strings: StringTable;
  private indices = new Int32Array(64);
  private keyCount = 0;
  private valueCount = 0;

  constructor(strings: StringTable) {
    this.strings = strings;
  }

  get(key: string): string | undefined {
    for (let i = 0; i < this.keyCount; i++) {
      if (this.strings.get(this.indices[2 * i]) === key) return this.strings.get(this.indices[2 * i + 1]);
    }
    return undefined;
  }

  *[Symbol.iterator](): Generator<[string, string]> {
    for (let i = 0; i < this.keyCount; i++) yield [this.strings.get(this.indices[2 * i]), this.strings.get(this.indices[2 * i + 1])];
  }

  clear(): void {
    this.keyCount = 0;
    this.valueCount = 0;
  }

  /** Reads the tags of the next node of a dense group: pairs up to a zero. */
  readDense(column: WireReader): void {
    this.clear();
    for (let key = column.unsigned(); key !== 0; key = column.unsigned()) {
      this.put(2 * this.keyCount++, key);
      this.put(2 * this.valueCount++ + 1, column.unsigned());
    }
  }

  readKeys(column: WireReader): void {
    while (column.hasMore) this.put(2 * this.keyCount++, column.unsigned());
  }

  readValues(column: WireReader): void {
    while (column.hasMore) this.put(2 * this.valueCount++ + 1, column.unsigned());
  }

  check(): void {
    if (this.keyCount !== this.valueCount) throw corrupt('an element with more keys than values, or the other way round');
  }

  private put(at: number, index: number): void {
    if (index >= this.strings.size) throw corrupt(`text ${index} where the block has ${this.strings.size}`);
    if (at + 1 >= this.indices.length) this.indices = doubled(this.indices);
    this.indices[at] = index;
  }
}

function doubled(items: Int32Array): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(2 * items.length);
  larger.set(items);
  return larger;
}
