import { createRandom } from '../../../core/solver/random.ts';
import type { Valhalla } from '../../../core/valhalla/open-valhalla.ts';
import type { Point } from '../../../core/valhalla/queries.ts';

export interface Area { west: number; south: number; east: number; north: number; count: number }

/** Places within 300 m of a road, spread over an area: always the same ones. */
export async function placesIn(valhalla: Valhalla, { west, south, east, north, count }: Area): Promise<Point[]> {
  const { below } = createRandom(42);
  const share = () => below(1e6) / 1e6;
  const places: Point[] = [];
  while (places.length < count) {
    const tried = Array.from({ length: 2 * count }, (): Point => [west + share() * (east - west), south + share() * (north - south)]);
    const snapped = await valhalla.locate(tried, { profile: { costing: 'auto' }, limitMetres: 300 });
    places.push(...tried.filter((_, i) => snapped[i] !== null));
  }
  return places.slice(0, count);
}
