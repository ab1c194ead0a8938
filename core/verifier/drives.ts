import { historyOf } from './history.ts';
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
 * The legs of a plan that are still to be driven, the return leg last. A leg to what has happened is history, and so is the return
 * from a live stop that is the last.
 */
export function drives(plan: PlanUnderCheck, orders: Map<string, OrderFacts>): Drive[] {
  if (plan.stops.length === 0 || plan.startMs === null || plan.returnLeg === null) return [];
  const { isPast, lastLive } = historyOf(plan, orders);
  const result: Drive[] = [];
  let from = plan.startPlace;
  let departureMs = plan.startMs;
  plan.stops.forEach((stop, index) => {
    if (!isPast(stop)) {
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
