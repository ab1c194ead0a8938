import type { Random } from './random.ts';
import { emptyStreetMap, keepWhatIsConnected } from './street-map.ts';
import type { Street, StreetMap } from './street-map.ts';

/**
 * A round city of some ten thousand junctions: ring roads and arterials, slow side streets, many of them one-way in the centre, three
 * parks, and a river with six bridges. Towards the centre arterials are slower than out of it: the plan is for the morning rush.
 */
const RADIUS = 57;
const BLOCK_METRES = 105;
const RINGS = [{ radius: 12, kmh: 45 }, { radius: 28, kmh: 60 }, { radius: 46, kmh: 80 }];
/** Every so many blocks a street is an arterial. */
const ARTERIAL_EVERY = 10;
const ONE_WAY_RADIUS = 24;
const BRIDGES_AT = [-40, -20, -10, 0, 20, 40];
const PARKS = [{ x: -20, y: 24, half: 3 }, { x: 24, y: 14, half: 4 }, { x: 6, y: -34, half: 3 }];

export const CITY_CENTRE_NODE = cityNode(0, 0);
/** Where the warehouses stand: beside the outer rings. */
export const CITY_WAREHOUSE_NODES = [cityNode(-28, -10), cityNode(28, 30), cityNode(10, -46)];

export function cityStreets(random: Random): StreetMap {
  const map = emptyStreetMap({ longitude: 12.9, latitude: 52.6, metresPerDegreeEast: 67_537 });
  for (let y = -RADIUS; y <= RADIUS; y++) {
    for (let x = -RADIUS; x <= RADIUS; x++) {
      if (isBuilt(x, y)) map.addNode(cityNode(x, y), x * BLOCK_METRES + random.between(-25, 25), y * BLOCK_METRES + random.between(-25, 25));
    }
  }
  for (let y = -RADIUS; y <= RADIUS; y++) {
    for (let x = -RADIUS; x <= RADIUS; x++) {
      addBetween(map, random, { x, y }, { x: x + 1, y });
      addBetween(map, random, { x, y }, { x, y: y + 1 });
    }
  }
  keepWhatIsConnected(map, CITY_CENTRE_NODE);
  return map;
}

interface Corner {
  x: number;
  y: number;
}

/** By its place in a square around the city. */
function cityNode(x: number, y: number): string {
  return `n${(y + RADIUS) * (2 * RADIUS + 1) + x + RADIUS}`;
}

function isBuilt(x: number, y: number): boolean {
  return x * x + y * y <= RADIUS * RADIUS && !PARKS.some((park) => Math.abs(x - park.x) < park.half && Math.abs(y - park.y) < park.half);
}

/** The river comes from the west, bends to the south in the middle, and leaves to the east: this is the row of its south bank. */
function southBank(x: number): number {
  return x < -15 ? 6 : x < 15 ? -5 : -14;
}

function addBetween(map: StreetMap, random: Random, a: Corner, b: Corner): void {
  const [from, to] = [cityNode(a.x, a.y), cityNode(b.x, b.y)];
  if (!isBuilt(a.x, a.y) || !isBuilt(b.x, b.y) || (isOverRiver(a, b) && !isBridge(a, b))) return;
  const kmh = ringSpeed(a, b) ?? arterialSpeed(a, b);
  if (kmh !== null) map.addStreet(from, to, withRush(kmh, a, b));
  else if (!random.chance(12)) addSideStreet(map, random, a, b);
}

function isOverRiver(a: Corner, b: Corner): boolean {
  return a.y > southBank(a.x) !== b.y > southBank(b.x);
}

function isBridge(a: Corner, b: Corner): boolean {
  return a.x === b.x && BRIDGES_AT.includes(a.x);
}

/** Rings are squares: both ends are equally many blocks from the centre, counted along the longer side. */
function ringSpeed(a: Corner, b: Corner): number | null {
  const blocks = ({ x, y }: Corner) => Math.max(Math.abs(x), Math.abs(y));
  return blocks(a) === blocks(b) ? (RINGS.find((ring) => ring.radius === blocks(a))?.kmh ?? null) : null;
}

function arterialSpeed(a: Corner, b: Corner): number | null {
  const across = a.x === b.x ? a.x : a.y;
  return across % ARTERIAL_EVERY === 0 ? 50 : null;
}

function withRush(kmh: number, a: Corner, b: Corner): Street {
  const [distanceA, distanceB] = [a.x * a.x + a.y * a.y, b.x * b.x + b.y * b.y];
  const inward = kmh * 0.7;
  return distanceB < distanceA ? { kmh: inward, kmhBack: kmh } : { kmh, kmhBack: inward };
}

function addSideStreet(map: StreetMap, random: Random, a: Corner, b: Corner): void {
  const [from, to] = [cityNode(a.x, a.y), cityNode(b.x, b.y)];
  const isCentral = Math.max(Math.abs(a.x), Math.abs(a.y)) < ONE_WAY_RADIUS;
  const across = a.x === b.x ? a.x : a.y;
  if (isCentral && across % 2 !== 0) {
    // Neighbouring one-way streets run in opposite directions, as in most towns.
    const [first, last] = ((across + 101) >> 1) % 2 === 0 ? [from, to] : [to, from];
    map.addStreet(first, last, { kmh: 25, kmhBack: 'none' });
  } else {
    map.addStreet(from, to, { kmh: random.pick([25, 30, 30]) });
  }
}
