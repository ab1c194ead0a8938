export const VEHICLE_KINDS = ['car', 'truck'] as const;

export type VehicleKind = (typeof VEHICLE_KINDS)[number];

/** What is on the road. A measure that is not given is not held against any limit. */
export interface Vehicle {
  kind: VehicleKind;
  heightCentimetres?: number | null;
  weightKilograms?: number | null;
  widthCentimetres?: number | null;
  lengthCentimetres?: number | null;
  hasHazardousGoods?: boolean;
}

/** The greatest that a road or a barrier lets pass; NO_LIMIT where it says nothing. */
export interface Limits {
  heightCentimetres: number;
  weightKilograms: number;
  widthCentimetres: number;
  lengthCentimetres: number;
  allowsHazardousGoods: boolean;
}

export const NO_LIMIT = 0x7fffffff;

export const NO_LIMITS: Limits = { heightCentimetres: NO_LIMIT, weightKilograms: NO_LIMIT, widthCentimetres: NO_LIMIT, lengthCentimetres: NO_LIMIT, allowsHazardousGoods: true };

/** Heavier vehicles are trucks to the law nearly everywhere. */
export const CAR_KILOGRAMS_MAX = 3500;

export function vehicleKindOf(weightKilograms: number | null | undefined): VehicleKind {
  return (weightKilograms ?? 0) > CAR_KILOGRAMS_MAX ? 'truck' : 'car';
}

export function mayPass(vehicle: Vehicle, limits: Limits): boolean {
  return (vehicle.heightCentimetres ?? 0) <= limits.heightCentimetres
    && (vehicle.weightKilograms ?? 0) <= limits.weightKilograms
    && (vehicle.widthCentimetres ?? 0) <= limits.widthCentimetres
    && (vehicle.lengthCentimetres ?? 0) <= limits.lengthCentimetres
    && (limits.allowsHazardousGoods || vehicle.hasHazardousGoods !== true);
}
