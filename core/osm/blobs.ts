import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { inflateSync } from 'node:zlib';
import { OsmFileError } from './osm-file-error.ts';
import { WireReader } from './wire-reader.ts';

/** "Must be less than" these, says https://wiki.openstreetmap.org/wiki/PBF_Format. */
export const BLOB_HEADER_BYTES_MAX = 64 * 1024;
export const BLOB_BYTES_MAX = 32 * 1024 * 1024;
/**
 * Map data shrinks to between a half and a tenth; a blob that grows more than a hundredfold was made to exhaust whoever opens it. Small
 * ones may: a few roads that are all alike.
 */
const GROWTH_MAX = 100;
const GROWTH_FREE_BYTES = 1024 * 1024;

export interface Blob {
  type: string;
  /** Of the blob in the file. */
  offset: number;
  /** Where the next one begins. */
  end: number;
  fileBytes: number;
  content: Uint8Array;
}

/**
 * The blobs of a file one after the other, each unpacked, so that no more than one is in memory. Types that are not `OSMHeader` or
 * `OSMData` are left out, as the format asks. Throws OsmFileError.
 */
export function* readBlobs(path: string): Generator<Blob, void> {
  const file = openFile(path);
  try {
    const { descriptor, size } = file;
    if (size === 0) throw new OsmFileError('not_pbf', 'the file is empty');
    let packed = Buffer.alloc(64 * 1024);
    const read = (offset: number, length: number): Buffer => {
      if (offset + length > size) throw truncated(size, offset + length);
      if (packed.length < length) packed = Buffer.alloc(2 ** Math.ceil(Math.log2(length)));
      for (let done = 0; done < length;) {
        const count = readSync(descriptor, packed, done, length - done, offset + done);
        if (count === 0) throw truncated(offset + done, offset + length);
        done += count;
      }
      return packed.subarray(0, length);
    };
    for (let offset = 0; offset < size;) {
      const blob = readBlob(read, offset, size);
      if (blob.content !== null) yield blob as Blob;
      offset = blob.end;
    }
  } finally {
    closeSync(file.descriptor);
  }
}

type Read = (offset: number, length: number) => Buffer;

function readBlob(read: Read, offset: number, fileBytes: number): Omit<Blob, 'content'> & { content: Uint8Array | null } {
  if (offset === 0) refuseOtherFormats(read(0, Math.min(fileBytes, 16)));
  const headerBytes = read(offset, 4).readUInt32BE(0);
  if (headerBytes === 0 || headerBytes >= BLOB_HEADER_BYTES_MAX) {
    if (offset === 0) throw new OsmFileError('not_pbf', 'this is not an .osm.pbf file: it does not begin with the header of a block');
    throw damaged(offset, `its header claims ${headerBytes} bytes, the format allows less than ${BLOB_HEADER_BYTES_MAX}`);
  }
  const { type, dataBytes } = at(offset, () => parseBlobHeader(read(offset + 4, headerBytes)));
  if (offset === 0 && type !== 'OSMHeader') throw new OsmFileError('not_pbf', 'this is not an .osm.pbf file: it does not begin with a block "OSMHeader"');
  if (dataBytes >= BLOB_BYTES_MAX) throw new OsmFileError('too_large', `the block at byte ${offset} claims ${dataBytes} bytes, the format allows less than ${BLOB_BYTES_MAX}`);
  const start = offset + 4 + headerBytes;
  const end = start + dataBytes;
  if (type !== 'OSMHeader' && type !== 'OSMData') {
    if (end > fileBytes) throw truncated(fileBytes, end);
    return { type, offset, end, fileBytes, content: null };
  }
  const packed = read(start, dataBytes);
  return { type, offset, end, fileBytes, content: at(offset, () => unpack(packed)) };
}

function parseBlobHeader(bytes: Uint8Array): { type: string; dataBytes: number } {
  const header = new WireReader(bytes);
  let type: string | undefined;
  let dataBytes: number | undefined;
  while (header.nextField()) {
    if (header.field === 1) type = header.text();
    else if (header.field === 3) dataBytes = header.number();
    else header.skip();
  }
  if (type === undefined || dataBytes === undefined) throw new OsmFileError('corrupt', 'its header lacks the type or the size');
  return { type, dataBytes };
}

const COMPRESSIONS: Record<number, string> = { 4: 'lzma', 5: 'bzip2', 6: 'lz4', 7: 'zstd' };

function unpack(bytes: Uint8Array): Uint8Array {
  const blob = new WireReader(bytes);
  let rawBytes: number | undefined;
  let raw: Uint8Array | undefined;
  let deflated: Uint8Array | undefined;
  while (blob.nextField()) {
    const compression = COMPRESSIONS[blob.field];
    if (compression !== undefined) throw new OsmFileError('unsupported', `it is compressed with ${compression}; convert the file to zlib, for example with "osmium cat -f pbf,pbf_compression=zlib"`);
    if (blob.field === 1) raw = blob.contentBytes();
    else if (blob.field === 2) rawBytes = blob.number();
    else if (blob.field === 3) deflated = blob.contentBytes();
    else blob.skip();
  }
  // The buffer that was read into is used again for the next blob.
  if (raw !== undefined) return raw.slice();
  if (deflated === undefined) throw new OsmFileError('corrupt', 'it has no content');
  if (rawBytes === undefined) throw new OsmFileError('corrupt', 'it does not say how large its content is');
  return inflate(deflated, rawBytes);
}

function inflate(deflated: Uint8Array, rawBytes: number): Uint8Array {
  if (rawBytes >= BLOB_BYTES_MAX) throw new OsmFileError('too_large', `its content claims ${rawBytes} bytes, the format allows less than ${BLOB_BYTES_MAX}`);
  if (rawBytes > GROWTH_FREE_BYTES && rawBytes > GROWTH_MAX * deflated.length) throw new OsmFileError('too_large', `${deflated.length} bytes would unpack to ${rawBytes}: no map data does that`);
  let content: Buffer;
  try {
    // One buffer of the right size, and a byte more that tells when the content is larger than it claims.
    content = inflateSync(deflated, { chunkSize: Math.max(64, rawBytes + 1), maxOutputLength: rawBytes + 1 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw new OsmFileError('corrupt', `its content is larger than the ${rawBytes} bytes it claims`);
    throw new OsmFileError('corrupt', `it cannot be unpacked (${(error as Error).message})`);
  }
  if (content.length !== rawBytes) throw new OsmFileError('corrupt', `it has ${content.length} bytes of content and claims ${rawBytes}`);
  return content;
}

/** Says which block it was that something is wrong with. */
export function at<T>(offset: number, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof OsmFileError) throw new OsmFileError(error.problem, `the block at byte ${offset} cannot be used: ${error.message}`);
    throw error;
  }
}

function damaged(offset: number, what: string): OsmFileError {
  return new OsmFileError('corrupt', `the file is damaged at byte ${offset}: ${what}`);
}

function truncated(length: number, needed: number): OsmFileError {
  return new OsmFileError('truncated', `the file ends at byte ${length}, in the middle of a block that goes on to byte ${needed}: it is truncated, download it again`);
}

/** What people download instead of a map, by the first bytes. */
const OTHER_FORMATS: [start: string, what: string][] = [
  ['<', 'it looks like a page of HTML or XML; has the address of the download changed?'],
  ['{', 'it looks like JSON'],
  ['version https', 'it is a pointer of Git LFS, not the file itself'],
  ['PK\u0003\u0004', 'it is a ZIP archive'],
  ['\u001f\u008b', 'it is compressed with gzip; unpack it first'],
  ['BZh', 'it is compressed with bzip2, probably .osm.bz2; convert it to .osm.pbf'],
  ['\u00fd7zXZ', 'it is compressed with xz; unpack it first'],
];

function refuseOtherFormats(start: Buffer): void {
  const text = start.toString('latin1').replace(/^(\u00ef\u00bb\u00bf)?\s+/, '');
  const other = OTHER_FORMATS.find(([prefix]) => text.startsWith(prefix) || start.toString('latin1').startsWith(prefix));
  if (other) throw new OsmFileError('not_pbf', `this is not an .osm.pbf file: ${other[1]}`);
}

function openFile(path: string): { descriptor: number; size: number } {
  try {
    const descriptor = openSync(path, 'r');
    const stat = fstatSync(descriptor);
    if (stat.isFile()) return { descriptor, size: stat.size };
    closeSync(descriptor);
  } catch (error) {
    throw new OsmFileError('unreadable', `the file cannot be opened: ${(error as Error).message}`);
  }
  throw new OsmFileError('unreadable', 'this is not a file');
}
