import type { OsmRelation, Tags } from '../../osm/elements.ts';
import type { VehicleKind } from './vehicle.ts';

/** A turn restriction as it is mapped, in ids of ways and nodes. https://wiki.openstreetmap.org/wiki/Relation:restriction */
export interface Restriction {
  kind: 'no' | 'only';
  /** Several only where entry (`no_entry`) or exit (`no_exit`) is meant. */
  from: number[];
  /** One node, or the ways in between. */
  viaNode: number | null;
  viaWays: number[];
  to: number[];
  holdsFor: Record<VehicleKind, boolean>;
}

/**
 * Why a restriction is not heeded: it holds at times only, or for others only; it lacks a member, or the file does; which edges it means cannot
 * be told; nobody could drive so anyway.
 */
export type RestrictionGap = 'conditional' | 'other_vehicles' | 'incomplete' | 'ambiguous' | 'moot';

/** The particular key decides before the general one. */
const KEYS: Record<VehicleKind, readonly string[]> = {
  car: ['restriction:motorcar', 'restriction:motor_vehicle', 'restriction:vehicle', 'restriction'],
  truck: ['restriction:hgv', 'restriction:motor_vehicle', 'restriction:vehicle', 'restriction'],
};
const EXCEPTIONS: Record<VehicleKind, readonly string[]> = { car: ['motorcar', 'motor_vehicle', 'vehicle'], truck: ['hgv', 'motor_vehicle', 'vehicle'] };

/** The restriction in a relation, why it cannot be used, or null where the relation is none. */
export function restrictionOf({ tags, members }: OsmRelation): Restriction | RestrictionGap | null {
  if (!(tags.get('type') ?? '').startsWith('restriction')) return null;
  const values = { car: valueFor(tags, 'car'), truck: valueFor(tags, 'truck') };
  const value = values.car ?? values.truck;
  if (value === null) return [...tags].some(([key]) => key.endsWith(':conditional')) ? 'conditional' : 'other_vehicles';
  // Before conditions had a syntax they were keys of their own.
  if (['day_on', 'day_off', 'hour_on', 'hour_off'].some((key) => tags.get(key) !== undefined)) return 'conditional';
  const ways = (role: string) => members.filter((member) => member.role === role && member.type === 'way').map(({ id }) => id);
  const viaNodes = members.filter(({ role, type }) => role === 'via' && type === 'node').map(({ id }) => id);
  const [from, viaWays, to] = [ways('from'), ways('via'), ways('to')];
  const hasVia = viaNodes.length === 1 ? viaWays.length === 0 : viaNodes.length === 0 && viaWays.length > 0;
  if (from.length === 0 || to.length === 0 || !hasVia) return 'incomplete';
  if (from.length > 1 && value !== 'no_entry' || to.length > 1 && value !== 'no_exit') return 'ambiguous';
  return { kind: value.startsWith('no_') ? 'no' : 'only', from, viaNode: viaNodes[0] ?? null, viaWays, to, holdsFor: { car: values.car === value, truck: values.truck === value } };
}

function valueFor(tags: Tags, kind: VehicleKind): string | null {
  const exceptions = (tags.get('except') ?? '').split(/[;,]/).map((part) => part.trim());
  const key = KEYS[kind].find((each) => tags.get(each) !== undefined);
  const isExempt = exceptions.some((exception) => EXCEPTIONS[kind].includes(exception));
  const value = key === undefined || isExempt ? '' : tags.get(key)!;
  return /^(no|only)_[a-z_]+$/.test(value) ? value : null;
}
