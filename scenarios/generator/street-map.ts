import type { Network } from '../../core/roads/network.ts';

/**
 * A network drawn on a plane in whole metres, east and north of an origin. Only additions, multiplications, divisions and square
 * roots are used, which IEEE 754 rounds the same way everywhere; no sine or cosine.
 */
export interface StreetMap extends Network {
  longitudeAt: (east: number) => number;
  latitudeAt: (north: number) => number;
  addNode: (id: string, east: number, north: number) => void;
  addStreet: (from: string, to: string, street: Street) => void;
  has: (id: string) => boolean;
}

export interface Street {
  kmh: number;
  /** The other direction, where it differs; 'none' is a one-way street. */
  kmhBack?: number | 'none';
}

export interface Origin {
  longitude: number;
  latitude: number;
  /** Length of one degree of longitude at that latitude. */
  metresPerDegreeEast: number;
}

const METRES_PER_DEGREE_NORTH = 111_195;

export function emptyStreetMap(origin: Origin): StreetMap {
  const places = new Map<string, { east: number; north: number }>();
  const longitudeAt = (east: number) => fiveDecimals(origin.longitude + east / origin.metresPerDegreeEast);
  const latitudeAt = (north: number) => fiveDecimals(origin.latitude + north / METRES_PER_DEGREE_NORTH);
  const map: StreetMap = { nodes: [], edges: [], longitudeAt, latitudeAt, addNode, addStreet, has: (id) => places.has(id) };
  return map;

  function addNode(id: string, east: number, north: number): void {
    places.set(id, { east, north });
    map.nodes.push({ id, x: longitudeAt(east), y: latitudeAt(north) });
  }

  function addStreet(from: string, to: string, { kmh, kmhBack = kmh }: Street): void {
    const [a, b] = [places.get(from)!, places.get(to)!];
    const metres = Math.round(Math.sqrt((a.east - b.east) ** 2 + (a.north - b.north) ** 2));
    const seconds = (speed: number) => Math.max(1, Math.round((metres * 3.6) / speed));
    const edge = { id: `e${map.edges.length}`, from, to, time_seconds: seconds(kmh), distance_meters: metres };
    if (kmhBack === 'none') map.edges.push(edge);
    else if (kmhBack === kmh) map.edges.push({ ...edge, bidirectional: true });
    else map.edges.push({ ...edge, bidirectional: true, reverse_time_seconds: seconds(kmhBack) });
  }
}

/** About a metre. */
function fiveDecimals(degrees: number): number {
  return Math.round(degrees * 100_000) / 100_000;
}

/** Takes out every node that cannot be reached from `centre` and left for it: what dropped streets and one-way streets cut off. */
export function keepWhatIsConnected(map: StreetMap, centre: string): void {
  const there = reached(map, centre, 'there');
  const back = reached(map, centre, 'back');
  const isKept = (id: string) => there.has(id) && back.has(id);
  map.nodes = map.nodes.filter((node) => isKept(node.id));
  map.edges = map.edges.filter((edge) => isKept(edge.from) && isKept(edge.to)).map((edge, i) => ({ ...edge, id: `e${i}` }));
}

function reached(network: Network, centre: string, direction: 'there' | 'back'): Set<string> {
  const next = new Map<string, string[]>(network.nodes.map((node) => [node.id, []]));
  for (const { from, to, bidirectional } of network.edges) {
    if (bidirectional || direction === 'there') next.get(from)!.push(to);
    if (bidirectional || direction === 'back') next.get(to)!.push(from);
  }
  const found = new Set([centre]);
  for (const id of found) for (const neighbour of next.get(id)!) found.add(neighbour);
  return found;
}
