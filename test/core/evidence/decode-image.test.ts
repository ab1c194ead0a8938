import { expect, test } from '@jest/globals';
import sharp from 'sharp';
import { ApiError } from '../../../core/contract/errors.ts';
import { decodeImage, pixelsMax } from '../../../core/evidence/decode-image.ts';
import { imageTypes, type ImageType } from '../../../core/evidence/schema.ts';
import { claimedPng, picture } from '../../support/images.ts';

const refusal = async (bytes: Buffer, type: ImageType): Promise<[string, string] | null> => {
  try {
    await decodeImage(bytes, type);
    return null;
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 422) throw error;
    return [error.details[0].path, error.details[0].message];
  }
};

const damaged = ['/bytes', 'is damaged or cut off: the image can not be decoded to its end'];

test.each(imageTypes)('%s: a whole image has its size', async (type) => {
  expect(await decodeImage(await picture(type), type)).toEqual({ width: 40, height: 30 });
});

test.each(imageTypes)('%s: no image that ends before its end', async (type) => {
  const whole = await picture(type);
  const cuts = [...Array.from({ length: 30 }, (_, index) => whole.length - 1 - index), ...Array.from({ length: 40 }, (_, index) => Math.floor((index * whole.length) / 40))];
  for (const cut of cuts) expect([cut, (await refusal(whole.subarray(0, cut), type))?.[0]]).toEqual([cut, '/bytes']);
});

test('every stretch of a PNG counts', async () => {
  const whole = await picture('image/png');
  for (let at = 20; at < whole.length - 12; at += 97) {
    const broken = Buffer.from(whole);
    broken[at] ^= 0x55;
    expect([at, await refusal(broken, 'image/png')]).toEqual([at, damaged]);
  }
});

test('what is stated is what it must be', async () => {
  for (const type of imageTypes) {
    const bytes = await picture(type);
    for (const stated of imageTypes) {
      if (stated !== type) expect(await refusal(bytes, stated)).toEqual(['/content_type', `is ${stated}, but the bytes are ${type}`]);
    }
  }
});

test('nothing but these three is an image', async () => {
  const gif = await sharp({ create: { width: 2, height: 2, channels: 3, background: 'red' } }).gif().toBuffer();
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');
  for (const bytes of [gif, svg, Buffer.from('%PDF-1.7'), Buffer.from([0]), Buffer.from('GIF89a'), Buffer.from('RIFF....WAVE')]) {
    expect(await refusal(bytes, 'image/png')).toEqual(['/bytes', 'is not a PNG, JPEG or WebP image']);
  }
  expect(await refusal(Buffer.alloc(0), 'image/png')).toEqual(['/bytes', 'must not be empty']);
  for (const start of ['89504e470d0a1a0a', 'ffd8ff', '524946460400000057454250']) {
    const bytes = Buffer.concat([Buffer.from(start, 'hex'), Buffer.alloc(500)]);
    expect((await refusal(bytes, bytes[0] === 0x89 ? 'image/png' : bytes[0] === 0xff ? 'image/jpeg' : 'image/webp'))?.[0]).toBe('/bytes');
  }
});

test('a small file that unfolds into a huge picture is not unfolded', async () => {
  expect(await refusal(claimedPng(60_000, 60_000), 'image/png')).toEqual(['/bytes', expect.stringContaining(`at most ${pixelsMax} pixels`)]);
  expect(await refusal(claimedPng(2_000_000_000, 2), 'image/png')).toEqual(['/bytes', expect.any(String)]);
  // Within the limit, but the pixels are not there.
  expect(await refusal(claimedPng(5_000, 5_000), 'image/png')).toEqual(damaged);
});

test('a photograph as phones make them, progressive or interlaced, passes', async () => {
  const image = sharp({ create: { width: 800, height: 600, channels: 3, background: 'teal' } });
  const jpeg = await image.clone().jpeg({ progressive: true }).withMetadata({ orientation: 6 }).toBuffer();
  expect(await decodeImage(jpeg, 'image/jpeg')).toEqual({ width: 800, height: 600 });
  expect(await decodeImage(await image.clone().png({ progressive: true }).toBuffer(), 'image/png')).toEqual({ width: 800, height: 600 });
  expect(await decodeImage(await image.clone().webp({ lossless: true }).toBuffer(), 'image/webp')).toEqual({ width: 800, height: 600 });
  // Some cameras add data of their own after the end.
  expect(await decodeImage(Buffer.concat([jpeg, Buffer.alloc(64, 7)]), 'image/jpeg')).toEqual({ width: 800, height: 600 });
});
