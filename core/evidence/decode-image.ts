import type Sharp from 'sharp';
import { invalid, unavailable } from '../contract/errors.ts';
import { imageTypeOf, reachesItsEnd } from './image-form.ts';
import type { ImageType } from './schema.ts';

/** More than any phone takes in one picture; decoded at the worst in some 400 MB. A small file can claim far more. */
export const pixelsMax = 50_000_000;
const decodeSecondsMax = 30;

export interface ImageSize {
  width: number;
  height: number;
}

/** Decodes every pixel of the image, outside of the event loop. Refuses what is not a whole image of the stated type. */
export async function decodeImage(bytes: Buffer, contentType: ImageType): Promise<ImageSize> {
  if (bytes.length === 0) throw invalid('/bytes', 'must not be empty');
  const type = imageTypeOf(bytes);
  if (type === null) throw invalid('/bytes', 'is not a PNG, JPEG or WebP image');
  if (type !== contentType) throw invalid('/content_type', `is ${contentType}, but the bytes are ${type}`);
  if (!reachesItsEnd(bytes, type)) throw damaged();
  const sharp = await loadSharp();
  const size = await sharp(bytes, { limitInputPixels: false, failOn: 'error' }).metadata().catch(() => Promise.reject(damaged()));
  if (size.width * size.height > pixelsMax) throw invalid('/bytes', `is an image of ${size.width} × ${size.height} pixels; at most ${pixelsMax} pixels are taken`);
  // Every pixel goes into the one that comes out, and no more than a few lines are in memory at a time.
  await sharp(bytes, { limitInputPixels: pixelsMax, failOn: 'error', sequentialRead: true })
    .timeout({ seconds: decodeSecondsMax })
    .resize(1, 1, { fit: 'fill', fastShrinkOnLoad: false })
    .raw()
    .toBuffer()
    .catch(() => Promise.reject(damaged()));
  return { width: size.width, height: size.height };
}

const damaged = () => invalid('/bytes', 'is damaged or cut off: the image can not be decoded to its end');

let loading: Promise<typeof Sharp> | undefined;

/** The decoder is native code that a process loads when it meets its first image. */
async function loadSharp(): Promise<typeof Sharp> {
  loading ??= import('sharp').then(({ default: sharp }) => {
    // Images are met once, and one of them shall not take all processors.
    sharp.cache(false);
    sharp.concurrency(1);
    sharp.block({ operation: ['VipsForeignLoad'] });
    sharp.unblock({ operation: ['VipsForeignLoadPngBuffer', 'VipsForeignLoadJpegBuffer', 'VipsForeignLoadWebpBuffer'] });
    return sharp;
  });
  try {
    return await loading;
  } catch (error) {
    loading = undefined;
    throw Object.assign(unavailable('images can not be decoded on this machine'), { cause: error });
  }
}
