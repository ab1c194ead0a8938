import { active, at, isFinished, publishedPlans, type Model, type OrderState, type PlanState } from './state.ts';

/** What a driver may work on. */
export interface Turn {
  next: OrderState | null;
  /** A stop of another driver that comes first. */
  waitsFor: OrderState | null;
  inProgress: OrderState | null;
}

/** The first unfinished stop of the driver's earliest published plan that has one of the driver's own. */
export function turnOf(model: Model, driverId: string): Turn {
  const isMine = (order: OrderState | null): order is OrderState => order !== null && order.published?.driverId === driverId && !isFinished(order);
  const mine = active(model.orders).filter(isMine);
  const inProgress = mine.find(({ status }) => status === 'in_progress') ?? null;
  const plans = publishedPlans(model).filter((plan) => mine.some(({ published }) => published!.planId === plan.id)).toSorted(byStart);
  for (const { orderId, driverId: servedBy } of plans[0]?.stops ?? []) {
    const order = at(model.orders, orderId);
    if (order === null || isFinished(order) || servedBy === null) continue;
    return servedBy === driverId ? { next: order, waitsFor: null, inProgress } : { next: null, waitsFor: order, inProgress };
  }
  return { next: null, waitsFor: null, inProgress };
}

const byStart = (a: PlanState, b: PlanState): number => (a.row.start_at === b.row.start_at ? (a.id < b.id ? -1 : 1) : a.row.start_at < b.row.start_at ? -1 : 1);

/** The next order of each driver who is on duty and at no other is on the road, and no order besides. */
export function settle(model: Model): void {
  const onRoad = new Set<string>();
  for (const { id, isOnline } of active(model.drivers)) {
    const { next, inProgress } = turnOf(model, id);
    if (isOnline && next && !inProgress) onRoad.add(next.id);
  }
  for (const order of active(model.orders)) {
    if (order.status === 'created' || order.status === 'on_road') order.status = onRoad.has(order.id) ? 'on_road' : 'created';
  }
}
