import { shownErrand } from './shown.ts';
import type { Seen } from './seen.ts';
import { agree, at, canonical, currentPlan, instant, isLive, ms, same, stopsOf, type Model, type PlanState, type StopState, type Wire } from './state.ts';
import { warningsOf } from './judge.ts';

/** A stop as somebody wants it: this order, served from this instant on. */
export interface WantedStop {
  orderId: string;
  startMs: number;
}

/**
 * A planning version that follows from a change by hand: starts stay where they are, what a driver has done stays in front, and what
 * does not fit together is said in its warnings.
 */
export function changeByHand(model: Model, seen: Seen, shift: { vehicleId: string; date: string }, change: (stops: WantedStop[]) => WantedStop[]): PlanState {
  const present = currentPlan(model, shift.vehicleId, shift.date);
  const wanted = changedStops(model, { vehicleId: shift.vehicleId, stops: present?.stops ?? [] }, change);
  const plan = claimVersion(model, seen, shift);
  const told = (stops: Omit<StopState, 'endMs'>[]) => stops.map(({ orderId, startMs, driverId }) => `${orderId} ${instant(startMs)} ${driverId}`);
  same(`the planning version of ${shift.vehicleId} on ${shift.date} (order, start, driver)`, told(plan.stops), told(wanted));
  stand(model, plan, present);
  same(`the warnings of ${shift.vehicleId} on ${shift.date}`, plan.row.warnings, warningsOf(model, plan));
  return plan;
}

/**
 * Who serves what when after a change by hand of these stops: history first, then by start, and from a handover on the other driver.
 * Orders that have been deleted are not there any more.
 */
export function changedStops(model: Model, present: Pick<PlanState, 'vehicleId' | 'stops'>, change: (stops: WantedStop[]) => WantedStop[]): Omit<StopState, 'endMs'>[] {
  const wanted = change(present.stops.filter(({ orderId }) => at(model.orders, orderId)).map(({ orderId, startMs }) => ({ orderId, startMs })));
  const live = new Set(wanted.filter(({ orderId }) => isLive(model.orders[orderId])).map(({ orderId }) => orderId));
  const history = present.stops.filter(({ orderId }) => live.has(orderId));
  const inHistory = new Set(history.map(({ orderId }) => orderId));
  const ahead = wanted.filter(({ orderId }) => !inHistory.has(orderId)).toSorted((a, b) => a.startMs - b.startMs || (a.orderId < b.orderId ? -1 : 1));
  const takesOver = (orderId: string) => model.orders[orderId].replacementDriverId;
  // Whoever has begun the shift drives on.
  const last = history.at(-1);
  let driverId = last ? (takesOver(last.orderId) ?? last.driverId) : model.vehicles[present.vehicleId].driverId;
  return [...history, ...ahead.map(({ orderId, startMs }) => {
    const stop = { orderId, startMs, driverId };
    driverId = takesOver(orderId) ?? driverId;
    return stop;
  })];
}

/** The versions that the model has not accounted for yet, in the order in which they were made. */
export function newVersions(model: Model, seen: Seen): Wire[] {
  return seen.events.flatMap(({ type, data }) => (type === 'plan.created' && !model.plans[data.id] ? [seen.plans.get(data.id)] : []));
}

/** Takes the next new version of a shift into the model, as one that nobody stands for yet. */
export function claimVersion(model: Model, seen: Seen, { vehicleId, date }: { vehicleId: string; date: string }, jobId: string | null = null): PlanState {
  const row = newVersions(model, seen).find((each) => each.vehicle_id === vehicleId && each.date === date && each.job_id === jobId);
  agree(row !== undefined, () => `there is no new planning version of ${vehicleId} on ${date}`);
  return { id: row.id, vehicleId, date, state: 'planning', stops: stopsOf(row.stops), row, snapshot: currentPlan(model, vehicleId, date)?.snapshot ?? null, receivedMs: null, isDeleted: false };
}

/** Puts a version in the place of the one that stood, and moves the orders with it. */
export function stand(model: Model, plan: PlanState, present: PlanState | null): void {
  if (present?.state === 'planning') present.state = 'superseded';
  model.plans[plan.id] = plan;
  for (const { orderId } of present?.stops ?? []) {
    const order = at(model.orders, orderId);
    if (order?.planned?.planId === present!.id) order.planned = null;
  }
  for (const stop of plan.stops) {
    const order = at(model.orders, stop.orderId);
    agree(order !== null, () => `the planning version of ${plan.vehicleId} on ${plan.date} holds ${stop.orderId}, which has been deleted`);
    order.planned = { planId: plan.id, vehicleId: plan.vehicleId, driverId: stop.driverId, startMs: stop.startMs };
  }
}

/** A version becomes what drivers see. Its orders' errands are what they are now. */
export function putInForce(model: Model, plan: PlanState, { publicationId }: { publicationId: string }): void {
  const { row } = plan;
  plan.state = 'published';
  plan.receivedMs = null;
  plan.snapshot = {
    publication_id: publicationId, published_at: instant(model.nowMs),
    driver_id: row.driver_id, start_at: row.start_at, end_at: row.end_at, stops: row.stops, return_leg: row.return_leg,
  };
  for (const stop of plan.stops) {
    const order = at(model.orders, stop.orderId);
    if (order) Object.assign(order, { published: { planId: plan.id, vehicleId: plan.vehicleId, driverId: stop.driverId, startMs: stop.startMs }, errand: shownErrand(order) });
  }
}

/** Two versions say the same to drivers. */
export const saysTheSame = (a: Wire, b: Wire): boolean => {
  const said = ({ driver_id, start_at, end_at, stops, return_leg }: Wire) => canonical([driver_id, start_at && ms(start_at), end_at && ms(end_at), stops, return_leg]);
  return said(a) === said(b);
};
