import type { ImageType } from './schema.ts';

/** What the first bytes of a file say that it is. Nothing else ever reaches a decoder. */
export function imageTypeOf(bytes: Buffer): ImageType | null {
  if (bytes.subarray(0, 8).equals(pngSignature)) return 'image/png';
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return 'image/jpeg';
  if (text(bytes, 0) === 'RIFF' && text(bytes, 8) === 'WEBP') return 'image/webp';
  return null;
}

/**
 * Whether the file goes on to its end. Decoders are content with a PNG that lacks its last chunk, because they have all pixels by
 * then, and with a WebP whose later frames are missing, because they read the first; the end of a JPEG they check themselves.
 */
export function reachesItsEnd(bytes: Buffer, type: ImageType): boolean {
  if (type === 'image/png') return hasLastChunk(bytes);
  if (type === 'image/webp') return bytes.length >= 12 && bytes.readUInt32LE(4) + 8 <= bytes.length;
  return true;
}

const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

const text = (bytes: Buffer, offset: number): string => bytes.toString('latin1', offset, offset + 4);

/** A chunk is its length, its name, so many bytes of data and a checksum. */
function hasLastChunk(bytes: Buffer): boolean {
  let offset = pngSignature.length;
  while (offset + 12 <= bytes.length) {
    const end = offset + 12 + bytes.readUInt32BE(offset);
    if (text(bytes, offset + 4) === 'IEND') return end <= bytes.length;
    offset = end;
  }
  return false;
}
