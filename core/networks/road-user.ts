import { vehicleKindOf, type Vehicle as RoadUser } from '../roads/map/vehicle.ts';
import type { Vehicle } from '../vehicles/entity.ts';

export type { RoadUser };

/** What of a vehicle the roads ask for. */
export type Sized = Partial<Pick<Vehicle, 'heightMeters' | 'weightKg'>>;

/** One to which no limit is known to apply. */
export const aCar: Sized = {};

/**
 * A vehicle as the roads see it. Above 3500 kg it is a truck, with a truck's speeds and access; its height and weight are held against limits
 * in any case. They are whole centimetres and kilograms, rounded up: so much more than was said would not pass either.
 */
export function roadUserOf({ heightMeters, weightKg }: Sized): RoadUser {
  const weightKilograms = roundedUp(weightKg, 1);
  return { kind: vehicleKindOf(weightKilograms), heightCentimetres: roundedUp(heightMeters, 100), weightKilograms };
}

/** 1.1 m are 110 cm, although 1.1 * 100 is a little more. */
const roundedUp = (measure: Sized['weightKg'], perUnit: number): number | null => (measure == null ? null : Math.ceil(Math.round(Number(measure) * perUnit * 1e6) / 1e6));

/** The same text for vehicles of the same size, and for these only. */
export const sizeKey = ({ kind, heightCentimetres, weightKilograms }: RoadUser): string => `${kind} ${heightCentimetres} ${weightKilograms}`;
