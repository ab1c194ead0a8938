import type { TravelRow } from '../reach.ts';
import { UNREACHABLE, wholeMetres, wholeSeconds } from '../travel-matrix.ts';
import type { Hierarchy, RankedArcs } from './hierarchy.ts';
import { checkPlaces, placesAt } from './places.ts';
import { UpwardSearch } from './upward-search.ts';

/**
 * Fills in the travel from a node to every node: an upward search, and then one pass over all arcs from the highest rank to the lowest
 * (Delling, Goldberg, Nowatzyk and Werneck: PHAST, 2011).
 */
export function fillRowFrom(hierarchy: Hierarchy, node: number, row: TravelRow): void {
  const search = beginAtNode(hierarchy, node);
  search.forwards();
  sweep(search, hierarchy.entering, row);
}

/** Fills in the travel from every node to a node. */
export function fillRowTo(hierarchy: Hierarchy, node: number, row: TravelRow): void {
  const search = beginAtNode(hierarchy, node);
  search.backwardsThroughCore();
  sweep(search, hierarchy.leaving, row);
}

function beginAtNode(hierarchy: Hierarchy, node: number): UpwardSearch {
  const place = placesAt([node]);
  checkPlaces(hierarchy, place);
  const search = new UpwardSearch(hierarchy);
  search.beginAt(place, 0);
  return search;
}

/** Every rank takes the best of what the search found and what those above it, which are final, hand down. */
function sweep(search: UpwardSearch, { first, end, milliseconds: arcTime, centimetres: arcLength }: RankedArcs, row: TravelRow): void {
  const { hierarchy: { nodeCount, coreStart, nodeOf }, milliseconds, centimetres, reachedIn, round } = search;
  for (let rank = nodeCount - 1; rank >= 0; rank--) {
    const isReached = reachedIn[rank] === round;
    let time = isReached ? milliseconds[rank] : Infinity;
    let length = isReached ? centimetres[rank] : Infinity;
    const past = rank < coreStart ? first[rank + 1] : first[rank];
    for (let arc = first[rank]; arc < past; arc++) {
      const above = end[arc];
      const otherTime = milliseconds[above] + arcTime[arc];
      if (otherTime > time) continue;
      const otherLength = centimetres[above] + arcLength[arc];
      if (otherTime === time && otherLength >= length) continue;
      time = otherTime;
      length = otherLength;
    }
    milliseconds[rank] = time;
    centimetres[rank] = length;
    const seconds = time === Infinity ? UNREACHABLE : wholeSeconds(time);
    row.seconds[nodeOf[rank]] = seconds;
    row.metres[nodeOf[rank]] = wholeMetres(seconds, length);
  }
}
