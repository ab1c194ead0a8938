import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { readOsm } from '../../../core/osm/read-osm.ts';
import { WireWriter } from '../../../core/osm/wire-writer.ts';
import type { OsmContent } from '../../support/osm-files.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** Files put together by hand, to be wrong in one chosen way. */
export interface BlobParts {
  type?: string;
  content?: Uint8Array;
  /** Instead of the true sizes. */
  rawBytes?: number;
  dataBytes?: number;
  headerBytes?: number;
  compressedAs?: number;
}

export function blob({ type = 'OSMData', content = new Uint8Array(), compressedAs = 3, ...claims }: BlobParts): Buffer {
  const data = new WireWriter();
  if (compressedAs === 1) data.bytesField(1, content);
  else {
    data.numberField(2, claims.rawBytes ?? content.length);
    data.bytesField(compressedAs, compressedAs === 3 ? deflateSync(content) : content);
  }
  const header = new WireWriter();
  header.textField(1, type);
  header.numberField(3, claims.dataBytes ?? data.length);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(claims.headerBytes ?? header.length);
  return Buffer.concat([length, header.content, data.content]);
}

/** A message of fields, each [number, value]: a number, a text or the bytes of a message. */
export function message(...fields: [field: number, value: number | string | WireWriter][]): WireWriter {
  const writer = new WireWriter();
  for (const [field, value] of fields) {
    if (typeof value === 'number') writer.signedField(field, value);
    else if (typeof value === 'string') writer.textField(field, value);
    else writer.messageField(field, value);
  }
  return writer;
}

/** Packed numbers. */
export function packed(kind: 'zigzag' | 'unsigned', ...values: number[]): WireWriter {
  const writer = new WireWriter();
  for (const value of values) writer[kind](value);
  return writer;
}

export const header = (...fields: Parameters<typeof message>): Buffer => blob({ type: 'OSMHeader', content: message([4, 'OsmSchema-V0.6'], [4, 'DenseNodes'], ...fields).content });

export function fileOf(...parts: Uint8Array[]): string {
  const path = join(temporaryFolder(), 'file.osm.pbf');
  writeFileSync(path, Buffer.concat(parts));
  return path;
}

/** All that a reader shows, as plain records. */
export function contentOf(path: string): OsmContent {
  const content: OsmContent = { nodes: [], ways: [], relations: [] };
  readOsm(path, {
    node: ({ id, longitudeE7, latitudeE7, tags }) => content.nodes.push({ id, longitude: longitudeE7 / 1e7, latitude: latitudeE7 / 1e7, tags: Object.fromEntries(tags) }),
    way: ({ id, refs, tags }) => content.ways.push({ id, refs: [...refs], tags: Object.fromEntries(tags) }),
    relation: ({ id, members, tags }) => content.relations.push({ id, members, tags: Object.fromEntries(tags) }),
  });
  return content;
}
