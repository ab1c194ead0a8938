import type { EntityManager } from '../db/store.ts';
import type { Job } from '../jobs/entity.ts';
import { presentJob } from '../jobs/present.ts';
import type { Order } from '../orders/entity.ts';
import { presentOrder } from '../orders/present.ts';
import type { Plan } from '../plans/entity.ts';
import { presentPlan } from '../plans/present.ts';
import { eventsOfChange } from './events-of-change.ts';
import type { DerivedEventType } from './schema.ts';
import { takeChanges, type Change } from './watch-changes.ts';
import { writeEvents, type NewEvent } from './write-events.ts';

/** Writes the events of what a transaction has changed, as its last act. Everything must have been flushed. */
export async function tellChanges(em: EntityManager): Promise<void> {
  const changes = takeChanges(em.getUnitOfWork());
  if (changes.length === 0) return;
  const told = changes.map((change) => ({ change, types: eventsOfChange(change) })).filter(({ types }) => types.length > 0);
  const firstNumbers = await takeNumbers(em, told);
  const events = told.flatMap(({ change, types }) => types.map((type, index): NewEvent => ({ businessId: businessOf(change), type, data: dataOf(change, type, firstNumbers.get(change.record), index) })));
  await writeEvents(em, events);
}

interface Told {
  change: Change;
  types: DerivedEventType[];
}

const businessOf = ({ record }: Change): string => (record as Order).businessId;

/**
 * The number of the first event of each order. The numbers of one order have neither gap nor twin: the row, which this transaction
 * holds already, counts them. It is born with 1, that of `order.created`.
 */
async function takeNumbers(em: EntityManager, told: Told[]): Promise<Map<object, number>> {
  const orders = told.filter(({ change }) => change.of === 'Order').map(({ change, types }) => ({ order: change.record as Order, isNew: change.isNew, count: types.length }));
  const first = new Map<object, number>(orders.filter(({ isNew }) => isNew).map(({ order }) => [order, 1]));
  const counts = orders.map(({ order, isNew, count }) => ({ business_id: order.businessId, id: order.id, count: count - (isNew ? 1 : 0) })).filter(({ count }) => count > 0);
  if (counts.length === 0) return first;
  const rows = await em.execute<{ business_id: string; id: string; last: number }[]>(
    `update orders set event_sequence = event_sequence + taken.count
     from jsonb_to_recordset(?::jsonb) as taken (business_id uuid, id text, count int)
     where orders.business_id = taken.business_id and orders.id = taken.id
     returning orders.business_id, orders.id, orders.event_sequence as last`,
    [JSON.stringify(counts)],
  );
  const last = new Map(rows.map((row) => [`${row.business_id} ${row.id}`, row.last]));
  for (const { order, isNew, count } of orders) if (!isNew) first.set(order, last.get(`${order.businessId} ${order.id}`)! - count + 1);
  return first;
}

/** The record as it is shown. Events of orders carry their number, and a new status the one before. */
function dataOf(change: Change, type: DerivedEventType, firstNumber: number | undefined, index: number): object {
  switch (change.of) {
    case 'Order': {
      const before = type === 'order.status_changed' ? { previous_status: change.written.get('status')!.before } : {};
      return { ...presentOrder(change.record as Order), ...before, sequence: firstNumber! + index };
    }
    case 'Plan': return presentPlan(change.record as Plan);
    case 'Job': return presentJob(change.record as Job);
  }
}
