import type { EntityManager } from '../db/store.ts';
import { emit } from '../events/emit.ts';
import type { Driver } from '../drivers/entity.ts';
import { presentDriver } from '../drivers/kind.ts';
import { Order } from '../orders/entity.ts';
import { presentOrder } from '../orders/present.ts';
import { finishedStatuses } from '../plans/current-plans.ts';
import { Plan } from '../plans/entity.ts';
import { presentPlan } from '../plans/present.ts';
import type { Stop } from '../plans/schema.ts';
import { instant } from '../records/present.ts';

/** A plan stays on the driver's device for this long after its end, so that the day can be looked at once more. */
const lingerMs = 24 * 3_600_000;

/**
 * What the driver may see: the published snapshots with the stops that are the driver's own, and their orders. Marks the plans as
 * received.
 */
export async function refreshDriver(em: EntityManager, driver: Driver, now = new Date()) {
  const work = await publishedWork(em, driver.id, now);
  const ids = work.flatMap(({ stops }) => stops.flatMap((stop) => (stop.order_id === undefined ? [] : [stop.order_id])));
  const orders = await em.find(Order, { id: { $in: ids }, deletedAt: null }, { orderBy: [{ publishedScheduledAt: 'asc' }, { id: 'asc' }] });
  await markReceived(em, work.map(({ plan }) => plan), now);
  return {
    driver: presentDriver(driver),
    plans: work.map(({ plan, stops }) => presentForDriver(plan, stops)),
    orders: orders.map((order) => presentOrderForDriver(order)),
    server_time: instant(now),
  };
}

async function publishedWork(em: EntityManager, driverId: string, now: Date): Promise<{ plan: Plan; stops: Stop[] }[]> {
  const mine = await em.find(Order, { publishedDriverId: driverId, publishedPlanId: { $ne: null }, deletedAt: null }, { fields: ['publishedPlanId', 'status'] as never });
  const unfinished = mine.filter((order) => !finishedStatuses.includes(order.status)).map((order) => order.publishedPlanId!);
  const recent = new Date(now.getTime() - lingerMs);
  const plans = await em.find(Plan, {
    state: 'published', deletedAt: null,
    $or: [{ id: { $in: unfinished } }, { endAt: { $gt: recent }, $or: [{ driverId }, { id: { $in: mine.map((order) => order.publishedPlanId!) } }] }],
  }, { orderBy: [{ startAt: 'asc' }, { id: 'asc' }] });
  return plans.map((plan) => ({ plan, stops: (plan.published?.stops ?? []).filter((stop) => stop.driver_id === driverId) }));
}

/** Warnings and what could not be planned are the dispatcher's business. */
function presentForDriver(plan: Plan, stops: Stop[]) {
  const shown = presentPlan(plan, 'published');
  return { ...shown, stops, warnings: [], unplanned_order_ids: [], published: shown.published ? { ...shown.published, stops } : null };
}

/** Custom fields that drivers see, as the order's own schemas say. */
export function presentOrderForDriver(order: Order) {
  const shown = presentOrder(order, 'published');
  const schemas = order.schemaSnapshot.schemas.map((schema) => ({ ...schema, fields: schema.fields.filter((field) => field.driver_visible) }));
  const visible = new Set(schemas.flatMap((schema) => schema.fields.map((field) => field.id)));
  return {
    ...shown,
    pending_status: null,
    schema_snapshot: { schemas },
    custom_fields: Object.fromEntries(Object.entries(shown.custom_fields).filter(([id]) => visible.has(id))),
  };
}

/** Receipt is no edit: the revision that an administrator reviews stays. */
async function markReceived(em: EntityManager, plans: Plan[], now: Date): Promise<void> {
  const fresh = plans.filter((plan) => !plan.receivedAt);
  const received: Plan[] = [];
  for (const plan of fresh) {
    const rows = await em.execute<unknown[]>('update plans set received_at = ? where business_id = ? and id = ? and received_at is null returning id', [now, plan.businessId, plan.id]);
    plan.receivedAt = now;
    if (rows.length > 0) received.push(plan);
  }
  em.clear();
  for (const plan of received) emit(em, plan.businessId, 'plan.received', presentPlan(plan));
}
