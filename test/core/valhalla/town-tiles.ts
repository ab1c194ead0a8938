import { join } from 'node:path';
import { describe, test } from '@jest/globals';
import { buildTiles } from '../../../core/valhalla/build-tiles.ts';
import type { Point } from '../../../core/valhalla/queries.ts';
import { valhallaProblem } from '../../../core/valhalla/valhalla-problem.ts';
import { writeOsmFile } from '../../support/osm-files.ts';
import { osmTown, townPlace } from '../../support/osm-town.ts';
import type { TownOptions } from '../../support/osm-town.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const problem = await valhallaProblem();

/** Where Valhalla can not run, one skipped test says why. */
export function describeValhalla(title: string, body: () => void): void {
  describe(`${title}`, () => {
    if (problem === null) body();
    else test.skip(`needs Valhalla: ${problem.message}`, () => {});
  });
}

/** The town, built: the path of its tiles. */
export async function townTiles(options: TownOptions = {}): Promise<string> {
  const directory = join(temporaryFolder(), 'town');
  await buildTiles({ pbf: writeOsmFile(osmTown(options)), directory, memoryLimitMb: 1000, threads: 1 });
  return directory;
}

/** A place by the streets and avenues of the town. */
export function at(column: number, row: number): Point {
  const { longitude, latitude } = townPlace(column, row);
  return [longitude, latitude];
}

/** In the middle of blocks, so that none lies at a junction. */
export const middles: Point[] = [at(0, 0.5), at(5, 3.5), at(7.25, 2), at(11, 9.5), at(3.25, 8), at(2.75, 7), at(13, 1.5), at(8, 6.5), at(-3, 8.2), at(28, 3.5)];
