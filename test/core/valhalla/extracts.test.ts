import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { UNREACHABLE } from '../../../core/roads/travel-matrix.ts';
import { buildTiles } from '../../../core/valhalla/build-tiles.ts';
import { openValhalla } from '../../../core/valhalla/open-valhalla.ts';
import type { Valhalla } from '../../../core/valhalla/open-valhalla.ts';
import type { Point } from '../../../core/valhalla/queries.ts';
import { describeExtracts, extractPath } from '../../support/osm-files.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { placesIn } from './places-in.ts';
import { describeValhalla } from './town-tiles.ts';

const about = { profile: { costing: 'auto' }, limitMetres: 300 } as const;
const VALLETTA: Point = [14.5126, 35.8972];
const GOZO: Point = [14.2416, 36.044];

describeValhalla('Valhalla over real maps', () => {
  describeExtracts('Malta', ['malta'], ([name]) => {
    let malta: Valhalla;
    let places: Point[];
    beforeAll(async () => {
      const directory = join(temporaryFolder(), 'malta');
      await buildTiles({ pbf: extractPath(name!), directory, memoryLimitMb: 2000 });
      malta = openValhalla(directory);
      places = [VALLETTA, GOZO, ...await placesIn(malta, { west: 14.19, south: 35.807, east: 14.574, north: 36.081, count: 10 })];
    });
    afterAll(async () => { await malta.close(); });

    test('what a route can do the table calls reachable, the ferry to Gozo included', async () => {
      const { seconds } = await malta.matrix(places, places, about);
      const differences: number[] = [];
      for (const [i, from] of places.entries()) {
        for (const [j, to] of places.entries()) {
          const cell = seconds[i * places.length + j]!;
          const { legs: [leg] } = await malta.route([from, to], about);
          expect([i, j, cell < UNREACHABLE]).toEqual([i, j, leg !== null]);
          if (leg) differences.push(Math.abs(leg.seconds - cell));
        }
      }
      expect(seconds[1]).toBeLessThan(2 * 3600);
      expect(seconds[places.length]).toBeLessThan(2 * 3600);
      // The two count partly driven blocks and ferries a little differently. README.md has the figures.
      differences.sort((a, b) => a - b);
      expect(differences[differences.length >> 1]).toBeLessThanOrEqual(2);
      expect(differences.at(-1)).toBeLessThanOrEqual(600);
    });

    test('a truck reaches Gozo as well', async () => {
      const truck = { ...about, profile: { costing: 'truck', weightKg: 18_000, heightMetres: 3.8 } } as const;
      const { seconds } = await malta.matrix([VALLETTA], [GOZO], truck);
      expect(seconds[0]).toBeLessThan(3 * 3600);
    });

    test('a point at sea is at no road', async () => {
      const { seconds, targets } = await malta.matrix([VALLETTA], [[14.9, 35.6]], about);
      expect(targets).toEqual([null]);
      expect([...seconds]).toEqual([UNREACHABLE]);
    });
  });
});
