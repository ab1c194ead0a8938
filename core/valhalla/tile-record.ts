import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RoadCounts } from './build-stages.ts';
import { ValhallaError } from './error.ts';

/** Lies beside the tiles. Without it an empty or foreign directory would open like any other, and answer that there are no roads. */
export interface TileRecord extends RoadCounts {
  /** Valhalla's, whose format the tiles have. */
  version: string;
}

const FILE = 'milkrun.json';

export async function writeTileRecord(tiles: string, record: TileRecord): Promise<void> {
  await writeFile(join(tiles, FILE), `${JSON.stringify(record)}\n`);
}

export function readTileRecord(tiles: string, { version }: { version: string }): TileRecord {
  const record = parse(tiles);
  if (record.version === version) return record;
  throw new ValhallaError('no_tiles', `The road tiles in ${tiles} are of Valhalla ${record.version}, and this is ${version}. Install the region again.`);
}

function parse(tiles: string): TileRecord {
  try {
    return JSON.parse(readFileSync(join(tiles, FILE), 'utf8')) as TileRecord;
  } catch (cause) {
    throw new ValhallaError('no_tiles', `There are no whole road tiles in ${tiles}. Install the region again.`, { cause });
  }
}
