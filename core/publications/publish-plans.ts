import { conflict, invalid, notFound, stale, throwIfAny } from '../contract/errors.ts';
import { Business } from '../businesses/entity.ts';
import { takeCapacity } from '../businesses/capacity.ts';
import { rowLock, type EntityManager } from '../db/store.ts';
import { followPublication } from '../execution/follow-publication.ts';
import { activeNetwork } from '../networks/active-network.ts';
import { legTable } from '../networks/leg-table.ts';
import { Order } from '../orders/entity.ts';
import { revisedDraft, revisePlan, shiftOfVehicle, shiftsOfVehicles } from '../planning/revise-plan.ts';
import { detailsOf } from '../orders/published-details.ts';
import { unplanned } from '../orders/unplanned.ts';
import { warningsOf } from '../planning/warnings.ts';
import { Plan } from '../plans/entity.ts';
import type { PublishedSnapshot } from '../plans/schema.ts';
import { legsOf, ms, orderIdsOf } from '../plans/stops.ts';
import { newId } from '../records/ids.ts';
import { instant, instantOrNull } from '../records/present.ts';
import { recordsById } from '../records/read-records.ts';
import { announcePublication } from '../push/announce.ts';
import { Publication } from './entity.ts';
import { applyPendingStatus, flushLive, leftBehind, refuseBrokenOverrides, refuseDisturbingLiveWork, refuseSharedOrders } from './live-work.ts';
import { reopenPlans } from './reopen-plans.ts';
import type { PublishInput, StatusChange } from './schema.ts';

/**
 * Makes planning versions what drivers see, and pending statuses real: everything or, where one item is stale or blocked, nothing.
 * Publications of one business follow one another, so of two that expect the same revision the second finds it changed.
 */
export async function publishPlans(em: EntityManager, businessId: string, input: PublishInput, actorId: string): Promise<Publication> {
  const planIds = [...new Set(input.plan_ids ?? [])];
  const orderIds = [...new Set(input.order_ids ?? [])];
  if (planIds.length === 0 && orderIds.length === 0) throw invalid('', 'names neither plan_ids nor order_ids: there is nothing to publish');
  await takeCapacity(em, businessId);
  const business = await em.findOneOrFail(Business, { id: businessId }, { refresh: true });
  const named = await lockPlans(em, planIds);
  const loose = await lockOrders(em, orderIds);
  // A pending status is written without the capacity: from here on none comes or goes.
  const orders = await lockOrdersOf(em, [...named, ...(await publishedVersions(em, named))]);
  await checkRevisions(em, input.expected_revision ?? [], [...named, ...loose]);
  refuseWithoutStatus(loose, orderIds);
  const plans = await reopenPlans(em, businessId, named);

  const statusChanges: StatusChange[] = [];
  await dropCancelled(em, business, { plans, statusChanges });
  await dropCancelledElsewhere(em, business, { plans, orders });
  const warnings = await reviewWarnings(em, business, { plans, orders });
  if (warnings.length > 0 && !input.acknowledge_warnings) throw conflict(`the plans have ${warnings.length} warning${warnings.length === 1 ? '' : 's'} that must be acknowledged: ${warnings[0]}`, warnings.map((message) => ({ path: '/acknowledge_warnings', message })));

  const publication = em.create(Publication, { businessId, id: newId(), createdAt: new Date(), planIds: plans.map((plan) => plan.id), orderIds, acknowledgedWarnings: warnings, publishedBy: actorId, statusChanges } as never, { persist: false }) as Publication;
  const touched = await putInForce(em, { plans, orders }, publication);
  for (const order of loose) publishLoose(order, { index: orderIds.indexOf(order.id), statusChanges });
  await refuseBrokenOverrides(em, business, statusChanges);
  await flushLive(em.persist(publication));
  await followPublication(em, businessId, { orderIds: [...touched.orderIds, ...orderIds], driverIds: touched.driverIds, at: publication.createdAt });
  await announcePublication(em, businessId, publication.id, touched.driverIds);
  return publication;
}

async function lockPlans(em: EntityManager, ids: string[]): Promise<Plan[]> {
  const plans = new Map((await em.find(Plan, { id: { $in: ids }, deletedAt: null }, { lockMode: rowLock.write, orderBy: { id: 'asc' } })).map((plan) => [plan.id, plan]));
  return ids.map((id) => plans.get(id) ?? missing('plan', id));
}

async function lockOrders(em: EntityManager, ids: string[]): Promise<Order[]> {
  const orders = new Map((await em.find(Order, { id: { $in: ids }, deletedAt: null }, { lockMode: rowLock.write, orderBy: { id: 'asc' } })).map((order) => [order.id, order]));
  return ids.map((id) => orders.get(id) ?? missing('order', id));
}

/** The orders in these plans, by id. */
async function lockOrdersOf(em: EntityManager, plans: Plan[]): Promise<Map<string, Order>> {
  const orders = await em.find(Order, { id: { $in: [...new Set(plans.flatMap(orderIdsOf))] }, deletedAt: null }, { lockMode: rowLock.write, orderBy: { id: 'asc' }, refresh: true });
  return new Map(orders.map((order) => [order.id, order]));
}

function missing(kind: string, id: string): never {
  throw notFound(kind, id);
}

/** Whatever the client has looked at must still be as it was, whether it is published now or not. */
async function checkRevisions(em: EntityManager, expected: readonly { id: string; revision: number }[], selected: (Plan | Order)[]): Promise<void> {
  const known = new Map<string, { record: Plan | Order; word: string }[]>();
  const note = (record: Plan | Order, word: string) => known.set(record.id, [...(known.get(record.id) ?? []), { record, word }]);
  for (const record of selected) note(record, record instanceof Plan ? 'plan' : 'order');
  const others = expected.map(({ id }) => id).filter((id) => !known.has(id));
  for (const plan of (await recordsById<Plan>(em, Plan, others)).values()) note(plan, 'plan');
  for (const order of (await recordsById<Order>(em, Order, others)).values()) note(order, 'order');
  expected.forEach(({ id, revision }, index) => {
    const candidates = known.get(id);
    if (!candidates) throw invalid(`/expected_revision/${index}/id`, `names neither a plan nor an order: ${JSON.stringify(id)}`);
    const [{ record, word }] = candidates;
    if (record.revision !== revision) throw stale(`${word} ${id}`, revision, record.revision);
  });
}

/** A confirmed cancellation leaves the plan that is published: its capacity is free from then on. */
async function dropCancelled(em: EntityManager, business: Business, { plans, statusChanges }: { plans: Plan[]; statusChanges: StatusChange[] }): Promise<void> {
  const orders = await recordsById<Order>(em, Order, plans.flatMap(orderIdsOf));
  for (const plan of plans) {
    const cancelled = new Set(orderIdsOf(plan).flatMap((id) => orders.get(id) ?? []).filter((order) => order.pendingStatus === 'cancelled'));
    if (cancelled.size === 0) continue;
    for (const order of cancelled) {
      applyPendingStatus(order, statusChanges);
      Object.assign(order, unplanned, { selectedStartAt: null });
    }
    const shift = await shiftOfVehicle(em, business, plan.vehicleId, plan.shiftDate);
    Object.assign(plan, await revisedDraft(em, business, { shift, present: plan, change: (stops) => stops.filter((stop) => !cancelled.has(stop.order)) }));
  }
}

/** A cancelled order may have moved to a draft that is not published now: that gets a version without it. */
async function dropCancelledElsewhere(em: EntityManager, business: Business, { plans, orders }: { plans: Plan[]; orders: Map<string, Order> }): Promise<void> {
  const cancelled = [...orders.values()].filter((order) => order.pendingStatus === 'cancelled' && order.planId && !plans.some((plan) => plan.id === order.planId));
  const drafts = await recordsById<Plan>(em, Plan, cancelled.map((order) => order.planId!));
  for (const { id, vehicleId, shiftDate } of drafts.values()) {
    const leaving = new Set(cancelled.filter((order) => order.planId === id));
    for (const order of leaving) order.selectedStartAt = null;
    await revisePlan(em, business, await shiftOfVehicle(em, business, vehicleId, shiftDate), (stops) => stops.filter((stop) => !leaving.has(stop.order)));
  }
}

/** What the plans say of themselves and what the verifier says of them beside all that stays in force, each sentence once. */
async function reviewWarnings(em: EntityManager, business: Business, { plans, orders }: { plans: Plan[]; orders: Map<string, Order> }): Promise<string[]> {
  const stated = [...plans.flatMap((plan) => plan.warnings), ...leftBehind(orders, plans)];
  if (plans.every((plan) => plan.stops.length === 0)) return [...new Set(stated)];
  // The empty ones too: what they replace is in force no more.
  const shifts = await shiftsOfVehicles(em, business, plans.map((plan) => ({ vehicleId: plan.vehicleId, date: plan.shiftDate })));
  const checked = plans.map((plan, index) => ({ plan, ...shifts[index] }));
  const drives = checked.map(({ plan, vehicle, warehouse }) => ({ vehicle, legs: legsOf(plan, warehouse.location) }));
  const table = await legTable(await activeNetwork(em, business), drives, [...checked.map(({ warehouse }) => warehouse.location), ...[...orders.values()].map((order) => order.location)]);
  return [...new Set([...stated, ...(await warningsOf(em, business, checked, { table, beside: 'published' }))])];
}

/** Whose orders have come, gone or changed. */
interface Touched {
  orderIds: string[];
  driverIds: Set<string>;
}

async function putInForce(em: EntityManager, { plans, orders }: { plans: Plan[]; orders: Map<string, Order> }, publication: Publication): Promise<Touched> {
  const before = await publishedVersions(em, plans);
  refuseDisturbingLiveWork(plans, before, orders);
  refuseSharedOrders(plans, before, orders);
  for (const plan of before) plan.state = 'superseded';
  await em.flush();
  for (const order of orders.values()) if (before.some((plan) => plan.id === order.publishedPlanId)) Object.assign(order, unpublished);
  for (const plan of plans) {
    plan.state = 'published';
    plan.published = snapshotOf(plan, publication);
    plan.receivedAt = null;
    for (const stop of plan.stops) {
      const order = stop.order_id === undefined ? undefined : orders.get(stop.order_id);
      if (order) Object.assign(order, { publishedPlanId: plan.id, publishedScheduledAt: new Date(ms(stop.start_at)), publishedVehicleId: plan.vehicleId, publishedDriverId: stop.driver_id, publishedDetails: detailsOf(order) });
    }
  }
  for (const order of orders.values()) applyPendingStatus(order, publication.statusChanges);
  const driverIds = new Set([...plans, ...before].flatMap((plan) => [...plan.stops, ...(plan.published?.stops ?? [])]).flatMap((stop) => stop.driver_id ?? []));
  return { orderIds: [...orders.keys()], driverIds };
}

const unpublished = { publishedPlanId: null, publishedScheduledAt: null, publishedVehicleId: null, publishedDriverId: null, publishedDetails: null } as const;

async function publishedVersions(em: EntityManager, plans: Plan[]): Promise<Plan[]> {
  const shifts = plans.map(({ vehicleId, shiftDate }) => ({ vehicleId, shiftDate }));
  return shifts.length === 0 ? [] : em.find(Plan, { $or: shifts, state: 'published', deletedAt: null });
}

/** The revision in the snapshot is the one that the plan has once it is published. */
function snapshotOf(plan: Plan, publication: Publication): PublishedSnapshot {
  return {
    revision: plan.revision + 1,
    published_at: instant(publication.createdAt),
    publication_id: publication.id,
    driver_id: plan.driverId ?? null,
    start_at: instantOrNull(plan.startAt),
    end_at: instantOrNull(plan.endAt),
    stops: plan.stops,
    return_leg: plan.returnLeg ?? null,
  };
}

function refuseWithoutStatus(orders: Order[], orderIds: string[]): void {
  throwIfAny(orders.filter((order) => !order.pendingStatus).map((order) => ({ path: `/order_ids/${orderIds.indexOf(order.id)}`, message: 'names an order without a pending status' })));
}

/** An order without a route: only its pending status is published. */
function publishLoose(order: Order, { index, statusChanges }: { index: number; statusChanges: StatusChange[] }): void {
  if (order.planId) throw conflict(`the order ${order.id} has a place in the plan ${order.planId}: publish that plan, or unschedule the order first`, [{ path: `/order_ids/${index}`, message: 'has a route' }]);
  if (order.publishedPlanId) throw conflict(`the order ${order.id} is still in the published plan ${order.publishedPlanId}: publish the plan that leaves it out as well`, [{ path: `/order_ids/${index}`, message: 'has a published route' }]);
  applyPendingStatus(order, statusChanges);
}
