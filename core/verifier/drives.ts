import type { OrderFacts, PlanUnderCheck } from './plan-under-check.ts';

/** One leg of a plan: what it states, and between which places. */
export interface Drive {
  from: number;
  to: number;
  departureMs: number;
  arrivalMs: number;
  travelSeconds: number;
  travelMetres: number;
  /** The order that it leads to; null for the warehouse. */
  orderId: string | null;
  /** Where it leads, for messages. */
  name: string;
}

/**
 * The legs of a plan that are still to be driven, the return leg last. A leg to a live stop is history, and so is the return from
 * one that is the last stop: what has happened is not refused afterwards.
 */
export function drives(plan: PlanUnderCheck, orders: Map<string, OrderFacts>): Drive[] {
  if (plan.stops.length === 0 || plan.startMs === null || plan.returnLeg === null) return [];
  const isLive = (orderId: string | null) => orderId !== null && orders.get(orderId)?.live === true;
  const lastLive = plan.stops.findLastIndex((stop) => isLive(stop.orderId));
  const result: Drive[] = [];
  let from = plan.startPlace;
  let departureMs = plan.startMs;
  plan.stops.forEach((stop, index) => {
    if (!isLive(stop.orderId)) {
      const { place: to, arrivalMs, travelSeconds, travelMetres, orderId } = stop;
      result.push({ from, to, departureMs, arrivalMs, travelSeconds, travelMetres, orderId, name: orderId ?? 'the warehouse' });
    }
    from = stop.place;
    departureMs = stop.departureMs;
    if (index === lastLive && plan.resume) {
      from = plan.resume.place;
      departureMs = plan.resume.atMs;
    }
  });
  if (lastLive < plan.stops.length - 1) {
    result.push({ from, to: plan.warehousePlace, ...plan.returnLeg, orderId: null, name: 'the warehouse' });
  }
  return result;
}
