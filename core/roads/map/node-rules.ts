import type { Tags } from '../../osm/elements.ts';
import { accessOf } from './access.ts';
import type { Access } from './access.ts';
import { limitsOf } from './limits.ts';
import { NO_LIMITS } from './vehicle.ts';
import type { Limits, VehicleKind } from './vehicle.ts';

/** What a point on a road does to those who pass it. */
export interface NodeRules {
  car: Access;
  truck: Access;
  limits: Limits;
  /** By the direction of the way that it is on. */
  forwardSeconds: number;
  backwardSeconds: number;
}

/** Barriers that nobody drives through, unless their tags say who may. https://wiki.openstreetmap.org/wiki/Key:barrier */
const CLOSED_BARRIERS = new Set([
  'bollard', 'block', 'jersey_barrier', 'chain', 'cycle_barrier', 'motorcycle_barrier', 'kissing_gate', 'stile', 'turnstile', 'full-height_turnstile', 'log', 'debris', 'wall', 'fence', 'hedge', 'ditch',
  'planter', 'sump_buster', 'bus_trap', 'horse_stile', 'swing_gate:closed', 'spikes', 'barrier_board',
]);
/** Barriers that open, and what that takes in seconds. Unknown ones are open and cost nothing. */
const OPEN_BARRIERS: Record<string, number> = { gate: 20, lift_gate: 10, swing_gate: 20, sliding_gate: 20, hampshire_gate: 40, toll_booth: 15, border_control: 60, cattle_grid: 1, height_restrictor: 1, entrance: 0 };
/** Two seconds at signals are OSRM's figure; at one crossroads there are often several of them. */
const DELAYS: Record<string, number> = { traffic_signals: 2, stop: 2, give_way: 0.5, crossing: 0.5 };

/** What routing needs to know about a node, or null where it is a mere point. */
export function nodeRulesOf(tags: Tags): NodeRules | null {
  const highway = tags.get('highway');
  const barrier = tags.get('barrier');
  const limits = barrier === undefined ? null : limitsOf(tags);
  const delay = delayOf(tags, highway, barrier);
  const access = (kind: VehicleKind): Access => (barrier === undefined ? 'through' : (accessOf(tags, kind) ?? (isClosed(tags, barrier) ? 'no' : 'through')));
  const [car, truck] = [access('car'), access('truck')];
  if (car === 'through' && truck === 'through' && limits === null && delay.forward === 0 && delay.backward === 0) return null;
  return { car, truck, limits: limits ?? NO_LIMITS, forwardSeconds: delay.forward, backwardSeconds: delay.backward };
}

/** A rising bollard sinks for those who may pass; who that is nobody has written down, so it counts as a gate. */
function isClosed(tags: Tags, barrier: string): boolean {
  return CLOSED_BARRIERS.has(barrier) && !(barrier === 'bollard' && tags.get('bollard') === 'rising') || (barrier === 'gate' && tags.get('locked') === 'yes' && accessOf(tags, 'car') === null);
}

function delayOf(tags: Tags, highway: string | undefined, barrier: string | undefined): { forward: number; backward: number } {
  const signals = highway === 'crossing' && tags.get('crossing') === 'traffic_signals' ? 'traffic_signals' : highway;
  const onRoad = signals !== undefined && Object.hasOwn(DELAYS, signals) ? DELAYS[signals] : 0;
  const atBarrier = barrier !== undefined && Object.hasOwn(OPEN_BARRIERS, barrier) ? OPEN_BARRIERS[barrier] : 0;
  const railway = tags.get('railway') === 'level_crossing' ? 2 : 0;
  const direction = tags.get('traffic_signals:direction') ?? tags.get('direction');
  return {
    forward: (direction === 'backward' ? 0 : onRoad) + atBarrier + railway,
    backward: (direction === 'forward' ? 0 : onRoad) + atBarrier + railway,
  };
}
