import { ValhallaError } from './error.ts';
import { loadFailure } from './load-failure.ts';
import type { BuilderEnd } from './tile-builder.ts';

/** With less than this left, whatever went wrong went wrong for want of room. */
const FREE_MB_MIN = 16;

export interface FailedBuild extends BuilderEnd {
  memoryLimitMb: number;
  /** On the disk of the tiles, before anything was removed. */
  freeMb: number;
  directory: string;
}

/** Why a build failed. Valhalla aborts or crashes for every reason alike; what it printed, and the state of the machine, tell them apart. */
export function buildFailure({ code, signal, isOverMemory, output, memoryLimitMb, freeMb, directory }: FailedBuild): ValhallaError {
  const failed = (kind: ValhallaError['code'], message: string) => new ValhallaError(kind, message, { output });
  const what = /what\(\):\s+(.+)/.exec(output)?.[1];
  if (isOverMemory) {
    return failed('memory', `Building the road tiles took more than the ${memoryLimitMb} MB of memory that it may have. Allow it more, or install a smaller region.`);
  }
  const cannotRun = loadFailure(output);
  if (cannotRun) return cannotRun;
  if (freeMb < FREE_MB_MIN || /No space left|ENOSPC|Disk quota exceeded/.test(output) || signal === 'SIGBUS') {
    return diskFull({ directory, freeMb }, { output });
  }
  if (/bad_alloc|Cannot allocate memory/.test(output) || signal === 'SIGKILL') {
    return failed('memory', 'The machine had no memory left while the road tiles were built. Free some, or install a smaller region.');
  }
  if (/osmium::|PBF error/.test(output)) return failed('bad_map', `The map file is damaged or not an .osm.pbf file (${what}). Fetch it again.`);
  return failed('build_failed', `Valhalla could not build road tiles from this map: ${what ?? `it ended with ${signal ?? `code ${code}`}`}.`);
}

/** A full disk shows in many ways: as a system error of ours, as tiles that are not whole, or not at all. */
export function failureOnDisk(error: unknown, disk: { directory: string; freeMb: number }): unknown {
  const { code } = error as { code?: string };
  const mayBeFull = code === 'ENOSPC' || code === 'EDQUOT' || (disk.freeMb < FREE_MB_MIN && ['unusable', 'crashed', 'refused'].includes(code!));
  return mayBeFull ? diskFull(disk, { cause: error }) : error;
}

function diskFull({ directory, freeMb }: { directory: string; freeMb: number }, more: { output?: string; cause?: unknown }): ValhallaError {
  return new ValhallaError('disk_full', `The disk of ${directory} is full (${Math.floor(freeMb)} MB are left). Free some space, then install again.`, more);
}

export function noRoads(): ValhallaError {
  return new ValhallaError('no_roads', 'The map holds no road that a vehicle may use. Does the region\'s polygon lie where the map is?');
}
