import type { Profile } from '../valhalla/profile.ts';
import type { RoadUser } from './road-user.ts';

/** A vehicle in Valhalla's terms. */
export function valhallaProfile({ kind, heightCentimetres, weightKilograms }: RoadUser): Profile {
  const heightMetres = heightCentimetres == null ? null : heightCentimetres / 100;
  return { costing: kind === 'truck' ? 'truck' : 'auto', heightMetres, weightKg: weightKilograms };
}
