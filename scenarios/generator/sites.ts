import { buildGraph } from '../../core/roads/build-graph.ts';
import { createSearch, searchFrom } from '../../core/roads/search.ts';
import { snap } from '../../core/roads/snap.ts';
import { travelTo } from '../../core/roads/travel-matrix.ts';
import type { Random } from './random.ts';
import type { Somewhere } from './scenario.ts';
import type { StreetMap } from './street-map.ts';

/** Where an order can be, as it is written into the order, and the junction to which that snaps. */
export interface Site extends Somewhere {
  node: number;
}

export interface Sites {
  atNode: (id: string) => Site;
  /** The nearest of a few doors all over the map: an order book is not a round trip, but not a lottery either. */
  near: (place: Site) => Site;
  travelSeconds: (from: Site, to: Site) => number;
}

const DOORS_TO_CHOOSE_FROM = 5;
/** Hundred-thousandths of a degree in each direction: some twenty metres. */
const DOOR_OFFSET = 25;

export function sitesOf(map: StreetMap, random: Random): Sites {
  const graph = buildGraph(map);
  const search = createSearch(graph);
  const indexOf = new Map(map.nodes.map((node, i) => [node.id, i]));

  const door = (): Site => {
    const node = random.pick(map.nodes);
    const longitude = moved(node.x, random.between(-DOOR_OFFSET, DOOR_OFFSET));
    const latitude = moved(node.y, random.between(-DOOR_OFFSET, DOOR_OFFSET));
    return { location: { latitude, longitude }, node: snap(graph, longitude, latitude).node };
  };
  const secondsFrom = (from: Site, to: Site[]): number[] => {
    const isTarget = new Uint8Array(graph.nodeCount);
    for (const site of to) isTarget[site.node] = 1;
    searchFrom(search, from.node, isTarget, new Set(to.map((site) => site.node)).size);
    return to.map((site) => travelTo(search, site.node).seconds);
  };
  const near = (place: Site): Site => {
    const doors = Array.from({ length: DOORS_TO_CHOOSE_FROM }, door);
    const seconds = secondsFrom(place, doors);
    return doors[seconds.indexOf(Math.min(...seconds))]!;
  };
  return {
    atNode: (id) => ({ node_id: id, node: indexOf.get(id)! }),
    near,
    travelSeconds: (from, to) => secondsFrom(from, [to])[0]!,
  };
}

/** Moved as an integer, so that a number of five decimals stays one. */
function moved(degrees: number, hundredThousandths: number): number {
  return (Math.round(degrees * 100_000) + hundredThousandths) / 100_000;
}
