import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { ValhallaError } from './error.ts';

/** Valhalla's npm package: an optional dependency, with programs and libraries for a few platforms. */
export interface NativePackage {
  directory: string;
  version: string;
  /** Where the programs for this platform are. */
  programs: string;
}

const PLATFORMS = ['linux-x64', 'linux-arm64', 'darwin-arm64'];

export function findNativePackage(): NativePackage {
  const platform = `${process.platform}-${process.arch}`;
  if (!PLATFORMS.includes(platform)) {
    throw new ValhallaError('unavailable', `Valhalla (engine_a) has no build for ${platform}, only for ${PLATFORMS.join(', ')}. Use engine_b.`);
  }
  try {
    return nativePackageAt(dirname(createRequire(import.meta.url).resolve('@valhallajs/valhallajs')));
  } catch (cause) {
    throw new ValhallaError('unavailable', 'Valhalla (engine_a) is not installed: its npm package @valhallajs/valhallajs is missing. Install it with "npm install --include=optional", or use engine_b.', { cause });
  }
}

export function nativePackageAt(directory: string): NativePackage {
  const { version } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as { version: string };
  return { directory, version, programs: join(directory, process.platform, process.arch) };
}
