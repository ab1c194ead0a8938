import type { Job } from '../jobs/entity.ts';
import type { Order } from '../orders/entity.ts';
import type { Plan } from '../plans/entity.ts';
import type { DerivedEventType } from './schema.ts';
import type { Change } from './watch-changes.ts';

/** What has happened to a record, seen from before the transaction and from after it: what came and went in between is not told. */
export function eventsOfChange(change: Change): DerivedEventType[] {
  switch (change.of) {
    case 'Order': return eventsOfOrder(change);
    case 'Plan': return eventsOfPlan(change);
    case 'Job': return eventsOfJob(change);
  }
}

const place = ['scheduledAt', 'vehicleId', 'driverId'];
/** What an administrator or a driver writes besides status and place. */
const details = [
  'type', 'location', 'durationSeconds', 'windowStart', 'windowEnd', 'replacementDriverId', 'customFields',
  'selectedVehicleId', 'selectedDriverId', 'selectedStartAt', 'pendingStatus',
];

function eventsOfOrder(change: Change): DerivedEventType[] {
  const order = change.record as Order;
  const events: DerivedEventType[] = [];
  const hasNewStatus = !change.isNew && differs(change, 'status');
  if (change.isNew) events.push('order.created');
  // A status that was pending and is in force now is one change, not two.
  else if (details.some((name) => !(name === 'pendingStatus' && hasNewStatus) && differs(change, name))) events.push('order.updated');
  if (hasNewStatus) events.push('order.status_changed');
  if (place.some((name) => differs(change, name))) events.push(order.scheduledAt ? 'order.planned' : 'order.unplanned');
  if (differs(change, 'deletedAt')) events.push('order.deleted');
  // Whoever follows the events knows the current revision.
  return events.length > 0 ? events : ['order.updated'];
}

function eventsOfPlan(change: Change): DerivedEventType[] {
  const { state } = change.record as Plan;
  const hasMoved = change.isNew ? state !== 'planning' : differs(change, 'state');
  return [
    ...(change.isNew ? ['plan.created' as const] : []),
    ...(hasMoved && state === 'published' ? ['plan.published' as const] : []),
    ...(hasMoved && state === 'superseded' ? ['plan.superseded' as const] : []),
  ];
}

const endings: Partial<Record<Job['status'], DerivedEventType>> = { completed: 'job.completed', failed: 'job.failed', cancelled: 'job.cancelled' };

function eventsOfJob(change: Change): DerivedEventType[] {
  const ending = endings[(change.record as Job).status];
  return ending !== undefined && (change.isNew || differs(change, 'status')) ? [ending] : [];
}

function differs({ written }: Change, property: string): boolean {
  const values = written.get(property);
  return values !== undefined && comparable(values.before) !== comparable(values.after);
}

const comparable = (value: unknown): string => (value === undefined || value === null ? 'null' : JSON.stringify(value));
