import type { Legs } from '../reach.ts';
import { UNREACHABLE, wholeMetres, wholeSeconds } from '../travel-matrix.ts';
import type { Hierarchy } from './hierarchy.ts';
import { meet } from './one-to-one.ts';
import { checkPlaces, placesAt } from './places.ts';
import { UpwardSearch } from './upward-search.ts';

/** `fillLegs` by a hierarchy: one forward search for legs from one node that stand together, and a backward search for each leg. */
export function fillLegsBy(hierarchy: Hierarchy, legs: Legs, { first, end }: { first: number; end: number }): void {
  const [from, to] = [placesAt(legs.from), placesAt(legs.to)];
  checkPlaces(hierarchy, from);
  checkPlaces(hierarchy, to);
  const [forward, backward] = [new UpwardSearch(hierarchy), new UpwardSearch(hierarchy)];
  for (let leg = first; leg < end; leg++) {
    if (leg === first || legs.from[leg] !== legs.from[leg - 1]) {
      forward.beginAt(from, leg);
      forward.forwards();
    }
    backward.beginAt(to, leg);
    backward.backwards();
    const meeting = meet(forward, backward);
    legs.seconds[leg] = meeting === null ? UNREACHABLE : wholeSeconds(meeting.milliseconds);
    legs.metres[leg] = meeting === null ? UNREACHABLE : wholeMetres(legs.seconds[leg], meeting.centimetres);
  }
}
