import type { Moment } from './invariants.ts';
import type { Seen, SeenEvent, SeenOrder } from './seen.ts';
import { agree, canonical, same, type Wire } from './state.ts';

/** Events tell every change and nothing else; those of an order are numbered without a gap, and the last one shows it as it is. */
export function checkEvents(before: Seen, seen: Seen, { isSingle }: Moment): void {
  const of = (prefix: string, id: string) => seen.events.filter(({ type, data }) => type.startsWith(`${prefix}.`) && data.id === id);
  for (const [id, order] of seen.orders) checkOrder(of('order', id), before.orders.get(id), order, isSingle);
  const published = new Set([...seen.publications].flatMap(([id, publication]) => (before.publications.has(id) ? [] : publication.plan_ids)));
  for (const [id, plan] of seen.plans) same(`the events of the plan ${id}`, of('plan', id).map(({ type }) => type).toSorted(), planEvents(before.plans.get(id), plan, published.has(id)).toSorted());
  for (const [id, { status }] of seen.reservations) {
    const isNew = status === 'confirmed' && before.reservations.get(id)?.status !== 'confirmed';
    same(`the events of the reservation ${id}`, of('reservation', id).map(({ type }) => type), isNew ? ['reservation.confirmed'] : []);
  }
  for (const [id, job] of seen.jobs) {
    const hasEnded = job.finished_at !== null && !before.jobs.get(id)?.finished_at;
    same(`the events of the job ${id}`, of('job', id).map(({ type }) => type), hasEnded ? [`job.${job.status}`] : []);
  }
  if (isSingle) for (const [id, driver] of seen.drivers) checkDriver(of('driver', id), before.drivers.get(id), driver);
}

function checkOrder(events: SeenEvent[], before: SeenOrder | undefined, now: SeenOrder, isSingle: boolean): void {
  const { id, revision } = now.planning;
  const firstNumber = (before?.hidden.event_sequence ?? 0) + 1;
  same(`the numbers of the events of the order ${id}`, events.map(({ data }) => data.sequence), events.map((_event, index) => firstNumber + index));
  same(`the number of the last event of the order ${id}`, firstNumber + events.length - 1, now.hidden.event_sequence);
  agree((events.length > 0) === (revision !== before?.planning.revision), () => `the order ${id} went from revision ${before?.planning.revision} to ${revision} with the events ${events.map(({ type }) => type).join(', ')}`);
  if (events.length === 0) return;
  const { sequence: _sequence, previous_status: _previous, ...shown } = events[events.length - 1].data;
  same(`the order ${id} in its last event`, shown, now.planning);
  let status = before?.planning.status;
  for (const { type, data } of events) {
    if (type !== 'order.status_changed') continue;
    agree(data.previous_status === status && data.status !== status, () => `the order ${id} was ${status}, but an event says that it went from ${data.previous_status} to ${data.status}`);
    status = data.status;
  }
  agree(before === undefined || status === now.planning.status, () => `no event says that the order ${id} became ${now.planning.status}`);
  if (isSingle) same(`the events of the order ${id}`, events.map(({ type }) => type), orderEvents(before, now));
}

const details = ['type', 'location', 'duration_seconds', 'window_start', 'window_end', 'replacement_driver_id', 'custom_fields'];
const hiddenDetails = ['selected_vehicle_id', 'selected_driver_id', 'selected_start_at'];

/** What one transaction tells of an order. */
function orderEvents(before: SeenOrder | undefined, now: SeenOrder): string[] {
  const { planning, hidden } = now;
  const differs = (a: Wire, b: Wire, field: string) => canonical(a?.[field] ?? null) !== canonical(b[field] ?? null);
  const assigned = (order: SeenOrder | undefined) => [order?.hidden.scheduled_at ?? null, order?.hidden.vehicle_id ?? null, order?.hidden.driver_id ?? null];
  const hasNewStatus = before !== undefined && differs(before.planning, planning, 'status');
  const isEdited = details.some((field) => differs(before?.planning, planning, field)) || hiddenDetails.some((field) => differs(before?.hidden, hidden, field)) || (!hasNewStatus && differs(before?.planning, planning, 'pending_status'));
  const events = [
    ...(before === undefined ? ['order.created'] : isEdited ? ['order.updated'] : []),
    ...(hasNewStatus ? ['order.status_changed'] : []),
    ...(canonical(assigned(before)) === canonical(assigned(now)) ? [] : [planning.scheduled_at ? 'order.planned' : 'order.unplanned']),
    ...(before?.planning.deleted_at !== planning.deleted_at && planning.deleted_at !== null ? ['order.deleted'] : []),
  ];
  return events.length > 0 ? events : ['order.updated'];
}

/** Each version is told once, and so is each state that it comes to. */
function planEvents(before: Wire | undefined, { state, received_at: receivedAt }: Wire, becamePublished: boolean): string[] {
  return [
    ...(before === undefined ? ['plan.created'] : []),
    ...(becamePublished ? ['plan.published'] : []),
    ...(state === 'superseded' && before?.state !== 'superseded' ? ['plan.superseded'] : []),
    ...(receivedAt !== null && !before?.received_at ? ['plan.received'] : []),
  ];
}

function checkDriver(events: SeenEvent[], before: Wire | undefined, now: Wire): void {
  const onDuty = (driver: Wire) => [driver?.duty_status ?? 'offline', driver?.duty_vehicle_id ?? null];
  same(`the events of the driver ${now.id}`, events.map(({ type }) => type), canonical(onDuty(before)) === canonical(onDuty(now)) ? [] : ['driver.duty_changed']);
}
