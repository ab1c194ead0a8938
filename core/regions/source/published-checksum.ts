import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';

/** What a source says about the bytes of a map, in a file beside it. */
export interface Checksum {
  algorithm: 'sha256' | 'md5';
  hex: string;
}

/** The better one first. */
export const checksumFiles = [
  { suffix: '.sha256', algorithm: 'sha256', digits: 64 },
  { suffix: '.md5', algorithm: 'md5', digits: 32 },
] as const;

/** The first word of the file, as `sha256sum` and `md5sum` write it. Anything else, a page of a website for instance, is none. */
export function parseChecksum(text: string, { algorithm, digits }: (typeof checksumFiles)[number]): Checksum | null {
  const hex = /^\\?([0-9a-f]+)(?:\s|$)/i.exec(text.trimStart())?.[1];
  return hex?.length === digits ? { algorithm, hex: hex.toLowerCase() } : null;
}

/** Of a file, as hexadecimal digits; `sha256` always. */
export async function checksumsOf(path: string, signal: AbortSignal): Promise<Record<Checksum['algorithm'], string>> {
  const hashes = { sha256: createHash('sha256'), md5: createHash('md5') };
  for await (const chunk of createReadStream(path, { signal, highWaterMark: 1 << 18 })) {
    hashes.sha256.update(chunk as Buffer);
    hashes.md5.update(chunk as Buffer);
  }
  return { sha256: hashes.sha256.digest('hex'), md5: hashes.md5.digest('hex') };
}
