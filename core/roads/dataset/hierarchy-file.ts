import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { hierarchyFromBuffer } from '../hierarchy/hierarchy.ts';
import type { Hierarchy } from '../hierarchy/hierarchy.ts';
import { RoadMapError } from '../map/road-map.ts';

/** Before the hierarchy: what the file is, and the CRC-32 of all that follows. */
const HEADER_BYTES = 16;
const MAGIC = 0x4d524846;

export function writeHierarchy({ buffer, byteOffset, byteLength }: Hierarchy, path: string): void {
  const bytes = new Uint8Array(buffer, byteOffset, byteLength);
  const header = new Uint32Array([MAGIC, crc32(bytes), 0, 0]);
  const descriptor = openSync(path, 'w');
  try {
    for (const part of [new Uint8Array(header.buffer), bytes]) for (let done = 0; done < part.length;) done += writeSync(descriptor, part, done);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Throws RoadMapError for a file that is not one of these, or damaged. */
export function readHierarchy(path: string): Hierarchy {
  const file = readFileSync(path);
  if (file.length < HEADER_BYTES) throw new RoadMapError('not a hierarchy of roads: it is shorter than its header');
  const header = new Uint32Array(new Uint8Array(file.subarray(0, HEADER_BYTES)).buffer);
  if (header[0] !== MAGIC) throw new RoadMapError('not a hierarchy of roads, or one of another kind of machine');
  const body = file.subarray(HEADER_BYTES);
  if (header[1] !== crc32(body)) throw new RoadMapError('the hierarchy of the roads is damaged: its checksum does not fit; build it again');
  const buffer = new SharedArrayBuffer(body.length);
  new Uint8Array(buffer).set(body);
  return hierarchyFromBuffer(buffer);
}
