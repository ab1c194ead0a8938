/** For whom the roads are. */
export interface Profile {
  /** Cars and vans keep to limits of height; trucks also to those of weight, and to where trucks may go at all. */
  costing: 'auto' | 'truck';
  heightMetres?: number | null;
  weightKg?: number | null;
}

/** Valhalla's ranges. What lies beyond them it takes for no value at all, and goes back to its default. */
const HEIGHT_METRES_MAX = 10;
const WEIGHT_TONNES_MAX = 100;

/**
 * Costing and options of a request. A dimension that is not known limits nothing: Valhalla's own default is a truck of 4.11 m, 21.77 t and
 * 21.64 m in length.
 */
export function costingOf({ costing, heightMetres, weightKg }: Profile): { costing: string; costing_options: object } {
  const size = {
    height: Math.min(HEIGHT_METRES_MAX, heightMetres ?? 0), width: 0,
    ...(costing === 'truck' && { weight: Math.min(WEIGHT_TONNES_MAX, (weightKg ?? 0) / 1000), axle_load: 0, length: 0 }),
  };
  return { costing, costing_options: { [costing]: size } };
}

export const hasLimits = ({ heightMetres, weightKg }: Profile): boolean => heightMetres != null || weightKg != null;

/** What a road says about size, as Valhalla tells it: metres and tonnes, and whom it means. */
export interface AccessRestriction {
  type: string;
  value?: unknown;
  car?: boolean;
  truck?: boolean;
  /** Whoever has business there may pass. */
  except_destination?: boolean;
}

/** May a vehicle stop on a road with these limits? */
export function mayPass({ costing, heightMetres, weightKg }: Profile, restrictions: readonly AccessRestriction[]): boolean {
  const measures: Record<string, number> = { max_height: heightMetres ?? 0, max_weight: (weightKg ?? 0) / 1000 };
  const isMeant = ({ car, truck }: AccessRestriction) => (costing === 'truck' ? truck : car) === true;
  return restrictions.every((each) => !isMeant(each) || each.except_destination === true || typeof each.value !== 'number' || (measures[each.type] ?? 0) <= each.value);
}
