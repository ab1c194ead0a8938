import type { OrderFacts, PlanUnderCheck, StopUnderCheck } from './plan-under-check.ts';

/**
 * What has happened is not refused afterwards: the stops of live orders, and returns to the warehouse before the last of them. Stops
 * that were between them may have been taken out since, hours and warehouse may have changed.
 */
export function historyOf({ stops }: PlanUnderCheck, orders: Map<string, OrderFacts>): { isPast(stop: StopUnderCheck): boolean; lastLive: number } {
  const isLive = (stop: StopUnderCheck) => stop.orderId !== null && orders.get(stop.orderId)?.live === true;
  const lastLive = stops.findLastIndex(isLive);
  const past = new Set(stops.filter((stop, index) => isLive(stop) || (stop.kind === 'warehouse' && index < lastLive)));
  return { isPast: (stop) => past.has(stop), lastLive };
}
