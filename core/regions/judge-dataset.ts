import type { Location } from '../contract/schemas.ts';
import type { Leg } from './build/engine-builder.ts';
import type { DatasetFacts } from './entity.ts';
import { megabytes, unavailableMap, unusableMap } from './install-failure.ts';

const reachedShareMin = 0.3;
/** Faster than anybody drives from one end of a region to the other. */
const metresPerSecondMax = 70;

/**
 * Whether roads that were built answer as roads do: from one probe to the next there mostly is a way, not shorter than the straight line, and
 * not faster than traffic. Islands without a ferry are no failure, a map in pieces is.
 */
export function judgeRoutes(probes: readonly Location[], legs: readonly (Leg | null)[]): void {
  if (legs.length === 0) return;
  const reached = legs.filter((leg) => leg !== null).length;
  if (reached / legs.length < reachedShareMin) {
    throw unusableMap(`The roads of the region are in pieces: of ${legs.length} test routes within the polygon only ${reached} could be found. Does the map cover the whole region?`);
  }
  for (const [index, leg] of legs.entries()) {
    if (leg === null) continue;
    const straight = metresBetween(probes[index], probes[index + 1]);
    // Points are moved to their roads first.
    if (leg.metres < straight - 2_000 || leg.metres > leg.seconds * metresPerSecondMax + 2_000) {
      throw unavailableMap(`A test route on the new roads makes no sense: ${Math.round(leg.metres)} m in ${Math.round(leg.seconds)} s over a distance of ${Math.round(straight)} m. This is a defect of the routing engine; please report it with the map.`);
    }
  }
}

const shareOfBeforeMin = 0.5;

/** A map that was made in part is whole by its checksum. Who installs by hand has seen what it is; a schedule has not. */
export function judgeSize(now: DatasetFacts, before: DatasetFacts | null): void {
  if (now.nodes < 2 || now.edges < 1) throw unusableMap('There are no roads within the polygon of the region. Check the polygon, and which map the region is installed from.');
  if (before === null || (now.nodes >= before.nodes * shareOfBeforeMin && now.edges >= before.edges * shareOfBeforeMin)) return;
  throw unusableMap(`The new map looks incomplete: the region has ${now.nodes} nodes and ${now.edges} edges on it, where ${before.nodes} and ${before.edges} are installed. What is installed stays. To take the new one all the same, install the region by hand.`);
}

/** Before anything is built: what it is expected to take has to be there. */
export function judgeNeeds(needs: { memoryBytes: number; diskBytes: number }, has: { memoryLimitBytes: number; memoryFreeBytes: number; diskFreeBytes: number; directory: string }): void {
  if (needs.memoryBytes > has.memoryLimitBytes) {
    throw unavailableMap(`Building the roads of this region takes about ${megabytes(needs.memoryBytes)} of memory, and ${megabytes(has.memoryLimitBytes)} are allowed. Allow more by MILKRUN_MAP_MEMORY, or make the region smaller.`);
  }
  if (needs.memoryBytes > has.memoryFreeBytes) {
    throw unavailableMap(`Building the roads of this region takes about ${megabytes(needs.memoryBytes)} of memory, and only ${megabytes(has.memoryFreeBytes)} are free on this machine. Free some, or make the region smaller.`);
  }
  if (needs.diskBytes > has.diskFreeBytes) {
    throw unavailableMap(`The roads of this region take about ${megabytes(needs.diskBytes)} while they are built, and only ${megabytes(has.diskFreeBytes)} are free on the disk of ${has.directory}. Free some space, then install again.`);
  }
}

/** On a sphere: the haversine formula. */
export function metresBetween(from: Location, to: Location): number {
  const radians = Math.PI / 180;
  const [dLatitude, dLongitude] = [(to.latitude - from.latitude) * radians, (to.longitude - from.longitude) * radians];
  const a = Math.sin(dLatitude / 2) ** 2 + Math.cos(from.latitude * radians) * Math.cos(to.latitude * radians) * Math.sin(dLongitude / 2) ** 2;
  return 2 * 6_371_008.8 * Math.asin(Math.min(1, Math.sqrt(a)));
}
