import { CARRIERS, roadClassOf } from '../../osm/drivable.ts';
import type { RoadClass } from '../../osm/drivable.ts';
import type { Tags } from '../../osm/elements.ts';
import { accessOf, motorAccessOf } from './access.ts';
import type { Access } from './access.ts';
import { limitsOf } from './limits.ts';
import { speedOn } from './speed.ts';
import { NO_LIMITS } from './vehicle.ts';
import type { Limits, VehicleKind } from './vehicle.ts';

/** What holds for one kind of vehicle along a way. */
export interface Passage {
  forward: Access;
  backward: Access;
  /** In km/h; of ferries that say how long they take it is not used. */
  forwardSpeed: number;
  backwardSpeed: number;
}

export interface WayRules {
  car: Passage;
  truck: Passage;
  limits: Limits;
  isRoundabout: boolean;
  /** Ferries, on which nobody can stop. */
  isCarrier: boolean;
  /** From end to end, where it is a carrier that says so. */
  durationSeconds: number | null;
  /** Motorways and tunnels: places are seldom on them, though they may be near. */
  isSeldomStop: boolean;
}

/** What routing needs to know about a way, or null where no vehicle may use it in either direction. */
export function wayRulesOf(tags: Tags): WayRules | null {
  const roadClass = roadClassOf(tags);
  if (roadClass !== null) return roadRules(tags, roadClass);
  if (tags.get('highway') === 'pedestrian') return roadRules(tags, 'pedestrian');
  const route = tags.get('route');
  return route !== undefined && (CARRIERS as readonly string[]).includes(route) ? carrierRules(tags) : null;
}

function roadRules(tags: Tags, roadClass: RoadClass | 'pedestrian'): WayRules | null {
  if (tags.get('area') === 'yes' || tags.get('impassable') === 'yes' || tags.get('smoothness') === 'impassable' || tags.get('service') === 'emergency_access') return null;
  const passage = (kind: VehicleKind): Passage => {
    const [goesForward, goesBackward] = directionsOf(tags, kind, roadClass);
    return {
      forward: goesForward ? roadAccess(tags, roadClass, kind, 'forward') : 'no',
      backward: goesBackward ? roadAccess(tags, roadClass, kind, 'backward') : 'no',
      forwardSpeed: speedOn(tags, roadClass, kind, 'forward'),
      backwardSpeed: speedOn(tags, roadClass, kind, 'backward'),
    };
  };
  return usable({
    car: passage('car'), truck: passage('truck'), limits: limitsOf(tags) ?? NO_LIMITS, isRoundabout: isRoundabout(tags), isCarrier: false, durationSeconds: null,
    isSeldomStop: roadClass === 'motorway' || roadClass === 'motorway_link' || (tags.get('tunnel') ?? 'no') !== 'no',
  });
}

/** Tracks are no through roads unless a sign opens them, and pedestrian streets are open to motors only by a sign. */
function roadAccess(tags: Tags, roadClass: RoadClass | 'pedestrian', kind: VehicleKind, direction: 'forward' | 'backward'): Access {
  if (roadClass === 'pedestrian' && (motorAccessOf(tags, kind) ?? 'no') === 'no') return 'no';
  return accessOf(tags, kind, direction) ?? (roadClass === 'track' ? 'end' : 'through');
}

const ONEWAY_KEYS: Record<VehicleKind, readonly string[]> = {
  car: ['oneway:motorcar', 'oneway:motor_vehicle', 'oneway:vehicle', 'oneway'],
  truck: ['oneway:hgv', 'oneway:motor_vehicle', 'oneway:vehicle', 'oneway'],
};
const ONEWAY: Record<string, [forward: boolean, backward: boolean]> = {
  yes: [true, false], true: [true, false], 1: [true, false], '-1': [false, true], reverse: [false, true], no: [true, true], false: [true, true], alternating: [true, true], reversible: [false, false],
};

function directionsOf(tags: Tags, kind: VehicleKind, roadClass: string): [forward: boolean, backward: boolean] {
  for (const key of ONEWAY_KEYS[kind]) {
    const value = tags.get(key);
    if (value !== undefined && Object.hasOwn(ONEWAY, value)) return ONEWAY[value];
  }
  return [true, !(isRoundabout(tags) || roadClass === 'motorway')];
}

function isRoundabout(tags: Tags): boolean {
  const junction = tags.get('junction');
  return junction === 'roundabout' || junction === 'circular';
}

const CARRIER_SPEED = 15;

/** Ferries that name only people and bicycles carry no cars. */
function carrierRules(tags: Tags): WayRules | null {
  const passage = (kind: VehicleKind): Passage => {
    const isForPeople = tags.get('route') === 'ferry' && (tags.get('foot') !== undefined || tags.get('bicycle') !== undefined);
    // What says nothing about trucks means them too when it speaks of cars.
    const motor = motorAccessOf(tags, kind) ?? motorAccessOf(tags, 'car');
    const access = motor ?? (isForPeople ? 'no' : accessOf(tags, kind)) ?? 'through';
    const [goesForward, goesBackward] = directionsOf(tags, kind, 'ferry');
    return { forward: goesForward ? access : 'no', backward: goesBackward ? access : 'no', forwardSpeed: CARRIER_SPEED, backwardSpeed: CARRIER_SPEED };
  };
  const duration = tags.get('duration');
  return usable({
    car: passage('car'), truck: passage('truck'), limits: limitsOf(tags) ?? NO_LIMITS, isRoundabout: false, isCarrier: true, isSeldomStop: true,
    durationSeconds: duration === undefined ? null : parseDuration(duration),
  });
}

function usable(rules: WayRules): WayRules | null {
  return [rules.car, rules.truck].some(({ forward, backward }) => forward !== 'no' || backward !== 'no') ? rules : null;
}

/** "25" are minutes; "1:30", "01:30:00", "PT1H30M" say more. Null for what is not understood. https://wiki.openstreetmap.org/wiki/Key:duration */
export function parseDuration(text: string): number | null {
  const clock = /^(?:(\d{1,3}):)?(\d{1,4})(?::(\d{2}))?$/.exec(text);
  const iso = /^P(?:(\d+)D)?T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?$/.exec(text);
  let seconds: number | null = null;
  if (clock && clock[1] === undefined) seconds = clock[3] === undefined ? 60 * Number(clock[2]) : 3600 * Number(clock[2]) + 60 * Number(clock[3]);
  else if (clock) seconds = 3600 * Number(clock[1]) + 60 * Number(clock[2]) + Number(clock[3] ?? 0);
  else if (iso) seconds = 86_400 * Number(iso[1] ?? 0) + 3600 * Number(iso[2] ?? 0) + 60 * Number(iso[3] ?? 0) + Number(iso[4] ?? 0);
  return seconds !== null && seconds > 0 ? seconds : null;
}
