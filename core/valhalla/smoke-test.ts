import { readdirSync } from 'node:fs';
import { ValhallaError } from './error.ts';
import type { NativePackage } from './native-package.ts';
import { openValhalla } from './open-valhalla.ts';
import type { Valhalla } from './open-valhalla.ts';
import type { Point } from './queries.ts';

const profile = { costing: 'auto' } as const;
/** As far as a road of a tile may be from the points that are tried in it. */
const LIMIT_METRES = 40_000;
const TILES_MAX = 12;
const ROUTES_MAX = 40;

/** Opens new tiles in a process of their own and drives on them: Valhalla builds, and opens, tiles that answer nothing. */
export async function smokeTest(tiles: string, { signal, nativePackage }: { signal?: AbortSignal; nativePackage: NativePackage }): Promise<void> {
  const valhalla = openValhalla(tiles, { threads: 1, nativePackage });
  try {
    const places = await placesOnRoads(valhalla, tiles, signal);
    if (!await canDriveBetween(valhalla, places, signal)) throw unusable(places.length);
  } finally {
    await valhalla.close();
  }
}

async function placesOnRoads(valhalla: Valhalla, tiles: string, signal?: AbortSignal): Promise<Point[]> {
  const tried = tileBoxes(tiles).slice(0, TILES_MAX).flatMap(gridOver);
  const snapped = await valhalla.locate(tried, { profile, limitMetres: LIMIT_METRES, signal });
  const places = new Map(snapped.flatMap((at) => (at ? [[`${at.longitude} ${at.latitude}`, [at.longitude, at.latitude] as const]] : [])));
  return [...places.values()];
}

/** Between neighbours in the list first, then farther apart: two of them may be on different islands. */
async function canDriveBetween(valhalla: Valhalla, places: Point[], signal?: AbortSignal): Promise<boolean> {
  let routes = 0;
  for (let apart = 1; apart < places.length; apart++) {
    for (let i = 0; i + apart < places.length; i++) {
      if (routes++ === ROUTES_MAX) return false;
      const { legs: [leg] } = await valhalla.route([places[i]!, places[i + apart]!], { profile, limitMetres: 50, signal });
      if (leg && leg.metres > 0 && leg.seconds > 0) return true;
    }
  }
  return false;
}

interface Box { west: number; south: number; degrees: number }

/** Degrees of a tile on each level; tiles are numbered from the south-west in rows. */
const DEGREES = [4, 1, 0.25];

/** The boxes of all tiles, the smallest first: `2/000/753/805.gph` is tile 753 805 of level 2. */
function tileBoxes(tiles: string): Box[] {
  const files = (readdirSync(tiles, { recursive: true }) as string[]).filter((file) => file.endsWith('.gph')).toSorted();
  return files.map((file) => {
    const [level, ...digits] = file.replace('.gph', '').split(/[/\\]/);
    const degrees = DEGREES[Number(level)]!;
    const number = Number(digits.join(''));
    const columns = 360 / degrees;
    return { west: (number % columns) * degrees - 180, south: Math.floor(number / columns) * degrees - 90, degrees };
  }).toSorted((a, b) => a.degrees - b.degrees);
}

function gridOver({ west, south, degrees }: Box): Point[] {
  const steps = [0.1, 0.3, 0.5, 0.7, 0.9];
  return steps.flatMap((x) => steps.map((y): Point => [west + x * degrees, south + y * degrees]));
}

function unusable(places: number): ValhallaError {
  const what = places === 0 ? 'no road could be found on them' : 'no two places on them are connected';
  return new ValhallaError('unusable', `The road tiles were built, but ${what}. Does the map cover the region, with more than pieces of roads?`);
}
