import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import type { ImageType } from '../../core/evidence/schema.ts';

/** A picture without any order in it, so that every byte of the file counts. */
export async function picture(type: ImageType, { width = 40, height = 30, seed = 1 } = {}): Promise<Buffer> {
  const noise = Buffer.alloc(width * height * 3);
  for (let at = 0, state = seed; at < noise.length; at++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    noise[at] = state >>> 24;
  }
  const image = sharp(noise, { raw: { width, height, channels: 3 } });
  return type === 'image/png' ? image.png().toBuffer() : type === 'image/jpeg' ? image.jpeg().toBuffer() : image.webp().toBuffer();
}

/** A PNG of a few bytes that claims to be of any size. */
export function claimedPng(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 0, 0, 0, 0], 8);
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), chunk('IHDR', header), chunk('IDAT', deflateSync(Buffer.alloc(1000))), chunk('IEND', Buffer.alloc(0))]);
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}

function crc32(bytes: Buffer): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}
