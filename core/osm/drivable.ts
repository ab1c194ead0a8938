import type { Tags } from './elements.ts';

/** Classes of `highway` that cars or trucks may use unless other tags say no. https://wiki.openstreetmap.org/wiki/Key:highway */
export const ROAD_CLASSES = [
  'motorway', 'motorway_link', 'trunk', 'trunk_link', 'primary', 'primary_link', 'secondary', 'secondary_link', 'tertiary', 'tertiary_link',
  'unclassified', 'residential', 'living_street', 'service', 'road', 'track',
] as const;

export type RoadClass = (typeof ROAD_CLASSES)[number];

/** `route=*` of ways that carry cars over water or through a mountain. */
export const CARRIERS = ['ferry', 'shuttle_train'] as const;

const CLASSES: ReadonlySet<string> = new Set(ROAD_CLASSES);

export function roadClassOf(tags: Tags): RoadClass | null {
  const highway = tags.get('highway');
  return highway !== undefined && CLASSES.has(highway) ? (highway as RoadClass) : null;
}

/** Whether a way is a road by its class, before anything is asked about access; ferries alone make no network. */
export function isRoad({ refs, tags }: { refs: ArrayLike<number>; tags: Tags }): boolean {
  return refs.length >= 2 && roadClassOf(tags) !== null;
}
