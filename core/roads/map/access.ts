import type { Tags } from '../../osm/elements.ts';
import type { VehicleKind } from './vehicle.ts';

/**
 * Whether a vehicle may drive somewhere: not at all, or freely, or only where its journey begins or ends there.
 * https://wiki.openstreetmap.org/wiki/Key:access
 */
export type Access = 'no' | 'through' | 'end';

/** The most particular key that says something decides. */
const KEYS: Record<VehicleKind, readonly string[]> = {
  car: ['motorcar', 'motor_vehicle', 'vehicle', 'access'],
  truck: ['hgv', 'motor_vehicle', 'vehicle', 'access'],
};

/** Keys that speak of motor vehicles; `vehicle` and `access` may mean bicycles. */
const MOTOR_KEYS: Record<VehicleKind, readonly string[]> = { car: ['motorcar', 'motor_vehicle'], truck: ['hgv', 'motor_vehicle'] };

const MEANING: Record<string, Access> = {
  yes: 'through', permissive: 'through', designated: 'through', official: 'through', public: 'through', hov: 'through', discouraged: 'through', true: 'through', 1: 'through',
  private: 'end', destination: 'end', delivery: 'end', customers: 'end', permit: 'end', residents: 'end', employees: 'end', local: 'end', loading: 'end', unloading: 'end',
  no: 'no', agricultural: 'no', forestry: 'no', emergency: 'no', military: 'no', psv: 'no', bus: 'no', taxi: 'no', foot: 'no', bicycle: 'no', use_sidepath: 'no', false: 'no',
};

/** What tags say about a kind of vehicle, in one direction or regardless of it; null where they say nothing that is understood. */
export function accessOf(tags: Tags, kind: VehicleKind, direction?: 'forward' | 'backward'): Access | null {
  return firstMeaning(tags, KEYS[kind], direction);
}

export function motorAccessOf(tags: Tags, kind: VehicleKind): Access | null {
  return firstMeaning(tags, MOTOR_KEYS[kind]);
}

function firstMeaning(tags: Tags, keys: readonly string[], direction?: string): Access | null {
  for (const key of keys) {
    const meaning = meaningOf(direction && tags.get(`${key}:${direction}`)) ?? meaningOf(tags.get(key));
    if (meaning !== null) return meaning;
  }
  return null;
}

/** Of several values, as in "agricultural;delivery", the one that allows most. */
function meaningOf(value: string | undefined): Access | null {
  if (value === undefined) return null;
  if (Object.hasOwn(MEANING, value)) return MEANING[value];
  if (!value.includes(';')) return null;
  const meanings = value.split(';').map((part) => meaningOf(part.trim()));
  return (['through', 'end', 'no'] as const).find((meaning) => meanings.includes(meaning)) ?? null;
}
