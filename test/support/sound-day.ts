import { verifyPlans } from '../../core/verifier/verify-plans.ts';
import type { OrderFacts } from '../../core/verifier/plan-under-check.ts';
import type { LineWorld } from './line-world.ts';

/** One minute and 500 metres for each hundredth of a degree: the road of a line world, read off the map. */
const minutesBetween = (from: number, to: number): number => Math.round(Math.abs(from - to) * 100);

/**
 * What the verifier says of all the plans that the interface shows, with nothing but what the interface shows: the roads are those of
 * `lineWorld`, the hours are taken from the vehicles' weekly hours by the test's own reading of the clock in winter.
 */
export async function complaintsAbout(w: LineWorld): Promise<string[]> {
  const [plans, orders, vehicles, warehouses] = await Promise.all(['/plans', '/orders', '/vehicles', '/warehouses'].map(async (path) => (await w.get(path)).items));
  const places: number[] = [];
  const placeOf = ({ longitude }: { longitude: number }): number => {
    if (!places.includes(longitude)) places.push(longitude);
    return places.indexOf(longitude);
  };
  const facts = new Map<string, OrderFacts>(orders.map((order: any) => [order.id, { // eslint-disable-line @typescript-eslint/no-explicit-any
    id: order.id, kind: order.type, place: placeOf(order.location), durationSeconds: order.duration_seconds,
    windowStartMs: Date.parse(order.window_start), windowEndMs: Date.parse(order.window_end),
    vehicleId: null, lockedStartMs: null, lockedVehicleId: null, lockedDriverId: null, replacementDriverId: order.replacement_driver_id, live: false,
  }]));
  const violations = verifyPlans({
    restSeconds: 0, fixedSpans: [], orders: facts,
    travel: (from, to) => ({ seconds: 60 * minutesBetween(places[from], places[to]), metres: 500 * minutesBetween(places[from], places[to]) }),
    plans: plans.filter((plan: any) => plan.stops.length > 0).map((plan: any) => { // eslint-disable-line @typescript-eslint/no-explicit-any
      const vehicle = vehicles.find(({ id }: { id: string }) => id === plan.vehicle_id);
      const depot = placeOf(warehouses.find(({ id }: { id: string }) => id === vehicle.warehouse_id).location);
      return {
        planId: plan.id, vehicleId: plan.vehicle_id, date: plan.date, driverId: plan.driver_id, warehousePlace: depot, startPlace: depot,
        intervals: vehicle.working_hours.weekly[0].map(({ start, end }: { start: string; end: string }) => ({ startMs: Date.parse(`${plan.date}T${start}:00+01:00`), endMs: Date.parse(`${plan.date}T${end}:00+01:00`) })),
        gapPolicy: vehicle.working_hours.gap_policy ?? 'return_to_warehouse', startMs: Date.parse(plan.start_at), endMs: Date.parse(plan.end_at),
        stops: plan.stops.map((stop: any) => ({ // eslint-disable-line @typescript-eslint/no-explicit-any
          sequence: stop.sequence, kind: stop.kind, orderId: stop.order_id ?? null, place: placeOf(stop.location),
          arrivalMs: Date.parse(stop.arrival_at), startMs: Date.parse(stop.start_at), endMs: Date.parse(stop.end_at), departureMs: Date.parse(stop.departure_at),
          waitSeconds: stop.wait_seconds, travelSeconds: stop.travel_seconds, travelMetres: stop.travel_meters, driverId: stop.driver_id,
        })),
        returnLeg: { departureMs: Date.parse(plan.return_leg.departure_at), arrivalMs: Date.parse(plan.return_leg.arrival_at), travelSeconds: plan.return_leg.travel_seconds, travelMetres: plan.return_leg.travel_meters },
      };
    }),
  });
  const served = plans.flatMap((plan: any) => plan.stops.flatMap((stop: any) => stop.order_id ?? [])); // eslint-disable-line @typescript-eslint/no-explicit-any
  const twice = served.filter((id: string, index: number) => served.indexOf(id) !== index);
  return [...violations.map(({ message }) => message), ...twice.map((id: string) => `${id} is in two plans`)];
}
