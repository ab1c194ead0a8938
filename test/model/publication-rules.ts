import { active, at, isFinished, isLive, publishedPlans, same, stopsOf, type Model, type OrderState, type PlanState, type Wire } from './state.ts';
import { refusal, type Refusal } from './act.ts';
import { objections, planName, sentences } from './judge.ts';
import type { Seen } from './seen.ts';
import { changeByHand, changedStops, claimVersion, putInForce, stand } from './versions.ts';

export interface Publishing {
  planIds: string[];
  orderIds: string[];
  /** By id, what the client believes to publish; 'old' where it is out of date. */
  knows: Record<string, string> | 'old' | null;
  acknowledges: boolean;
}

type RevisionOf = (model: Model, id: string) => string;

/** Why a publication has to be refused. What its warnings are is known before, unless a cancellation changes a plan on the way. */
export function refusePublication(model: Model, asked: Publishing, reply: Wire, revisionOf: RevisionOf): Refusal {
  const { planIds, orderIds, knows, acknowledges } = asked;
  const ids = [...planIds, ...orderIds];
  if (ids.length === 0) return refusal(422, 'there is nothing to publish');
  if (planIds.some((id) => !at(model.plans, id)) || orderIds.some((id) => !at(model.orders, id))) return refusal(404, 'something of it has been deleted');
  if (knows === 'old' || (knows !== null && ids.some((id) => knows[id] !== revisionOf(model, id)))) return refusal(409, 'a revision is stale');
  const loose = orderIds.map((id) => model.orders[id]);
  if (loose.some(({ pendingStatus }) => pendingStatus === null)) return refusal(422, 'an order has no pending status');
  const plans = planIds.map((id) => model.plans[id]);
  for (const plan of plans) {
    const closed = whyNotOpen(model, plan);
    if (closed) return refusal(409, closed);
  }
  const conflict = conflictOf(model, plans, loose);
  if (conflict) return refusal(409, conflict);
  if (acknowledges) return null;
  if (plans.some((plan) => cancelledIn(model, plan).length > 0)) return reply.status === 409 && reply.text.includes('must be acknowledged') ? refusal(409, 'what is left after a cancellation has warnings') : null;
  const warnings = publicationWarnings(model, plans);
  return warnings.length > 0 ? refusal(409, `the warnings have not been acknowledged: ${warnings.join('; ')}`) : null;
}

/** A plan in force may be published again where statuses of its orders are pending. */
function whyNotOpen(model: Model, plan: PlanState): string | null {
  if (plan.state === 'planning') return null;
  if (plan.state === 'superseded') return `${planName(plan)} is superseded`;
  if (at(model.vehicles, plan.vehicleId) === null) return `the vehicle of ${planName(plan)} has been deleted`;
  if (active(model.plans).some((other) => other.state === 'planning' && other.vehicleId === plan.vehicleId && other.date === plan.date)) return `a draft is about to replace ${planName(plan)}`;
  return plan.stops.some(({ orderId }) => at(model.orders, orderId)?.pendingStatus) ? null : `nothing is pending in ${planName(plan)}`;
}

const cancelledIn = (model: Model, plan: PlanState): OrderState[] => plan.stops.flatMap(({ orderId }) => (at(model.orders, orderId)?.pendingStatus === 'cancelled' ? [model.orders[orderId]] : []));

/** The versions in force that these replace. */
const replacedBy = (model: Model, plans: PlanState[]): PlanState[] => publishedPlans(model).filter((before) => plans.some((plan) => plan.vehicleId === before.vehicleId && plan.date === before.date));

/** What is said of the plans, and what is to be said of them beside all that stays in force. */
export function publicationWarnings(model: Model, plans: PlanState[]): string[] {
  const replaced = replacedBy(model, plans);
  const inForce = publishedPlans(model).filter((plan) => !replaced.includes(plan) && plan.stops.length > 0);
  const withStops = plans.filter(({ stops }) => stops.length > 0);
  return [...new Set([...plans.flatMap(({ row }) => row.warnings as string[]), ...leftBehind(model, plans, replaced), ...sentences(objections(model, withStops, inForce, 'published'))])];
}

/** An order that leaves what is in force, and is in a draft that stays one, would be nobody's. */
const leftBehind = (model: Model, plans: PlanState[], replaced: PlanState[]): string[] => ordersOf(model, replaced)
  .filter((order) => order.published && order.planned && order.pendingStatus !== 'cancelled' && !isFinished(order) && !plans.some(({ stops }) => stops.some(({ orderId }) => orderId === order.id)))
  .map(({ id, published, planned }) => `${id} leaves the published plan of ${published!.vehicleId}, but the plan of ${planned!.vehicleId} that has it now is not published with it: no driver will have it`);

function conflictOf(model: Model, plans: PlanState[], loose: OrderState[]): string | null {
  const replaced = replacedBy(model, plans);
  const touched = ordersOf(model, [...plans, ...replaced]);
  for (const order of [...touched, ...loose]) {
    if (order.pendingStatus && isLive(order) && order.pendingFrom !== order.status && order.pendingStatus !== order.status) return `${order.id} has become ${order.status} since its status was chosen`;
  }
  for (const order of touched) {
    const plan = plans.find(({ id, stops }) => stops.some(({ orderId }) => orderId === order.id) && !cancelledIn(model, model.plans[id]).includes(order)) ?? null;
    if (order.status === 'in_progress' && !order.pendingStatus && order.published) {
      const disturbed = disturbanceOf(model, order, plan, replaced);
      if (disturbed) return disturbed;
    }
    const inForce = order.published && at(model.plans, order.published.planId);
    if (plan && inForce && !replaced.includes(inForce)) return `${order.id} is still in the published plan of ${planName(inForce)}`;
  }
  const placed = loose.find(({ planned, published }) => planned !== null || (published !== null && at(model.plans, published.planId)));
  if (placed) return `${placed.id} has a route`;
  return twoInProgress(model, plans, { touched, loose, replaced });
}

const ordersOf = (model: Model, plans: PlanState[]): OrderState[] => [...new Set(plans.flatMap(({ stops }) => stops.map(({ orderId }) => orderId)))].flatMap((id) => at(model.orders, id) ?? []);

/** Work in progress stays on its vehicle, at its time, with its driver, and with nothing before it that is still to be done. */
function disturbanceOf(model: Model, order: OrderState, plan: PlanState | null, replaced: PlanState[]): string | null {
  const { published, id } = order;
  if (plan === null) return replaced.some((before) => before.id === published!.planId) ? `${id} is in progress and would be taken away` : null;
  const index = plan.stops.findIndex(({ orderId }) => orderId === id);
  const { startMs, driverId } = plan.stops[index];
  if (plan.vehicleId !== published!.vehicleId || startMs !== published!.startMs || driverId !== published!.driverId) return `${id} is in progress and would be moved`;
  const isOpen = (other: OrderState | null) => other !== null && !isFinished(other) && !isLive(other) && other.pendingStatus !== 'cancelled';
  return plan.stops.slice(0, index).some(({ orderId }) => isOpen(at(model.orders, orderId))) ? `something would come before ${id}, which is in progress` : null;
}

/** Whom the orders would belong to, and how many of them would be in progress. */
function twoInProgress(model: Model, plans: PlanState[], { touched, loose, replaced }: { touched: OrderState[]; loose: OrderState[]; replaced: PlanState[] }): string | null {
  const driverAfter = (order: OrderState): string | null => {
    const stop = plans.flatMap(({ stops }) => stops).find(({ orderId }) => orderId === order.id);
    if (stop && order.pendingStatus !== 'cancelled') return stop.driverId;
    return order.published && replaced.some(({ id }) => id === order.published!.planId) ? null : (order.published?.driverId ?? null);
  };
  const applied = new Set([...touched, ...loose]);
  const busy = active(model.orders).filter((order) => ((applied.has(order) ? order.pendingStatus : null) ?? order.status) === 'in_progress').map(driverAfter).filter((id) => id !== null);
  return busy.some((id, index) => busy.indexOf(id) !== index) ? 'a driver would have two orders in progress' : null;
}

/** The plans are in force, and the statuses of their orders and of the others that were named. */
export function followPublication(model: Model, seen: Seen, { planIds, orderIds }: Publishing, publication: Wire): void {
  const expected = publicationWarnings(model, planIds.map((id) => model.plans[id]));
  const hasCancelled = planIds.some((id) => cancelledIn(model, model.plans[id]).length > 0);
  const changes: Wire[] = [];
  const plans = planIds.map((id) => (model.plans[id].state === 'planning' ? model.plans[id] : reopened(model, seen, model.plans[id])));
  for (const plan of plans) dropCancelled(model, seen, plan, changes);
  dropCancelledElsewhere(model, seen, plans);
  if (!hasCancelled) same('the warnings that were acknowledged', [...publication.acknowledged_warnings].toSorted(), expected.toSorted());
  const replaced = replacedBy(model, plans);
  const touched = ordersOf(model, [...plans, ...replaced]);
  for (const before of replaced) before.state = 'superseded';
  for (const order of touched) if (replaced.some(({ id }) => id === order.published?.planId)) Object.assign(order, { published: null, errand: null });
  for (const plan of plans) putInForce(model, plan, { publicationId: publication.id });
  for (const order of [...touched, ...orderIds.map((id) => model.orders[id])]) applyPending(order, changes);
  model.epoch++;
  same('the publication', [publication.plan_ids, publication.order_ids], [plans.map(({ id }) => id), orderIds]);
  const told = (all: Wire[]) => all.map(({ order_id: id, from, to }) => `${id} ${from} ${to}`).toSorted();
  same('the changes of status in the publication', told(publication.status_changes), told(changes));
}

/** The same plan as a new version. */
function reopened(model: Model, seen: Seen, plan: PlanState): PlanState {
  const version = claimVersion(model, seen, plan);
  stand(model, version, plan);
  return version;
}

function dropCancelled(model: Model, seen: Seen, plan: PlanState, changes: Wire[]): void {
  const cancelled = cancelledIn(model, plan);
  if (cancelled.length === 0) return;
  const ids = cancelled.map(({ id }) => id);
  for (const order of cancelled) {
    applyPending(order, changes);
    Object.assign(order, { planned: null, selectedStartMs: null });
  }
  const row = seen.plans.get(plan.id);
  const stops = stopsOf(row.stops);
  same(`${planName(plan)} without what was cancelled`, stops.map(({ orderId, startMs }) => [orderId, startMs]), changedStops(model, plan, (wanted) => wanted.filter(({ orderId }) => !ids.includes(orderId))).map(({ orderId, startMs }) => [orderId, startMs]));
  Object.assign(plan, { row, stops });
  for (const { orderId, driverId } of stops) model.orders[orderId].planned!.driverId = driverId;
}

/** A cancelled order leaves the draft, too, to which it had moved. */
function dropCancelledElsewhere(model: Model, seen: Seen, plans: PlanState[]): void {
  const cancelled = ordersOf(model, [...plans, ...replacedBy(model, plans)]).filter(({ pendingStatus, planned }) => pendingStatus === 'cancelled' && planned !== null && !plans.some(({ id }) => id === planned.planId));
  for (const draft of new Set(cancelled.map(({ planned }) => model.plans[planned!.planId]))) {
    const leaving = cancelled.filter(({ planned }) => planned?.planId === draft.id);
    for (const order of leaving) order.selectedStartMs = null;
    changeByHand(model, seen, draft, (stops) => stops.filter(({ orderId }) => !leaving.some(({ id }) => id === orderId)));
  }
}

function applyPending(order: OrderState, changes: Wire[]): void {
  const { id, status, pendingStatus } = order;
  if (pendingStatus === null) return;
  if (status !== pendingStatus) changes.push({ order_id: id, from: status, to: pendingStatus });
  Object.assign(order, { status: pendingStatus, pendingStatus: null, pendingFrom: null });
}
