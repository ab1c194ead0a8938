import { checkEvents } from './event-invariants.ts';
import type { Seen, SeenOrder } from './seen.ts';
import { agree, canonical, ms, same, type Wire } from './state.ts';
import { restSeconds } from './world.ts';

export interface Moment {
  nowMs: number;
  /** Whether one command alone has brought this about. */
  isSingle: boolean;
}

/** What has to hold after every step, whatever the step was. It looks at what is seen only, and knows nothing of the model. */
export function checkInvariants(before: Seen, seen: Seen, moment: Moment): void {
  revisionsGrow(before, seen);
  deletedStaysDeleted(before, seen);
  liveWorkStays(before, seen);
  placesAgreeWithPlans(seen);
  cancelledIsNowhere(seen);
  nobodyIsInTwoPlaces(seen, moment);
  oneOrderInProgressForEachDriver(seen);
  reservationsHold(before, seen);
  jobsEndOnce(before, seen);
  checkEvents(before, seen, moment);
}

const ordersIn = (seen: Seen): Map<string, Wire> => new Map([...seen.orders].map(([id, { planning }]) => [id, planning]));
const kindsOf = (seen: Seen): Record<string, Map<string, Wire>> => ({
  order: ordersIn(seen), plan: seen.plans, vehicle: seen.vehicles, driver: seen.drivers, warehouse: seen.warehouses, reservation: seen.reservations, publication: seen.publications,
});

/** What moves without an edit: where a driver is, whether a plan was received, what an expiry has made of a reservation. */
const withoutRevision = ['location', 'received_at', 'status', 'updated_at'];

function revisionsGrow(before: Seen, seen: Seen): void {
  for (const [kind, records] of Object.entries(kindsOf(seen))) {
    for (const [id, record] of records) {
      const earlier = kindsOf(before)[kind].get(id);
      if (!earlier) continue;
      agree(record.revision >= earlier.revision, () => `the revision of the ${kind} ${id} went from ${earlier.revision} to ${record.revision}`);
      const differs = Object.keys(record).some((field) => !withoutRevision.includes(field) && canonical(record[field]) !== canonical(earlier[field]));
      if (differs) agree(record.revision > earlier.revision, () => `the ${kind} ${id} has changed in revision ${record.revision}: ${canonical(earlier)} is now ${canonical(record)}`);
    }
  }
}

function deletedStaysDeleted(before: Seen, seen: Seen): void {
  for (const [kind, records] of Object.entries(kindsOf(before))) {
    for (const [id, record] of records) {
      const now = kindsOf(seen)[kind].get(id);
      agree(now !== undefined, () => `the ${kind} ${id} has vanished`);
      if (record.deleted_at !== null) same(`the deleted ${kind} ${id}`, { ...now, origin: null }, { ...record, origin: null });
    }
  }
}

const isLive = ({ planning: { status } }: SeenOrder): boolean => ['in_progress', 'completed', 'unable_to_complete'].includes(status);

/** While an order is live it stays where its driver had it; drafts can do no more than give it back. */
function liveWorkStays(before: Seen, seen: Seen): void {
  for (const [id, order] of seen.orders) {
    const earlier = before.orders.get(id);
    if (!earlier || !isLive(earlier) || !isLive(order) || order.planning.deleted_at !== null) continue;
    const place = ({ scheduled_at, vehicle_id, driver_id }: Wire) => ({ scheduled_at, vehicle_id, driver_id });
    if (order.published.scheduled_at !== null) same(`where drivers have the live order ${id}`, place(order.published), place(earlier.published));
    const isBack = canonical(place(order.planning)) === canonical(place(order.published));
    if (order.planning.scheduled_at !== null && !isBack) same(`where planning has the live order ${id}`, place(order.planning), place(earlier.planning));
    for (const field of ['location', 'duration_seconds', 'window_start', 'window_end', 'actual_started_at']) {
      if (earlier.planning.status === order.planning.status || field !== 'actual_started_at') same(`${field} of the live order ${id}`, order.planning[field], earlier.planning[field]);
    }
  }
}

const standing = (seen: Seen, states: string[]): Wire[] => [...seen.plans.values()].filter(({ state, deleted_at: deletedAt }) => states.includes(state) && deletedAt === null);
const shiftOf = ({ vehicle_id: vehicleId, date }: Wire): string => `${vehicleId} on ${date}`;

/** The planning version of each shift, or the published one while there is none. */
function currentPlans(seen: Seen): Wire[] {
  const drafted = new Set(standing(seen, ['planning']).map(shiftOf));
  return standing(seen, ['planning', 'published']).filter((plan) => plan.state === 'planning' || !drafted.has(shiftOf(plan)));
}

/** A cancelled order has released its capacity. */
function cancelledIsNowhere(seen: Seen): void {
  for (const plan of standing(seen, ['planning', 'published'])) {
    const cancelled = plan.stops.filter(({ order_id: id }: Wire) => id !== undefined && seen.orders.get(id)!.planning.status === 'cancelled');
    same(`the cancelled orders in the ${plan.state} version of ${shiftOf(plan)}`, cancelled.map(({ order_id: id }: Wire) => id), []);
  }
}

/** An order is where a plan has it, in each view, and in one place only. */
function placesAgreeWithPlans(seen: Seen): void {
  for (const state of ['planning', 'published']) {
    const shifts = standing(seen, [state]).map(shiftOf);
    same(`the shifts that have two ${state} versions`, shifts.filter((shift, index) => shifts.indexOf(shift) !== index), []);
  }
  const drafts = placesIn(currentPlans(seen).map((plan) => [plan, plan.stops]));
  const published = placesIn(standing(seen, ['published']).map((plan) => [plan, plan.published.stops]));
  for (const [id, { planning, published: shown, hidden }] of seen.orders) {
    if (planning.deleted_at !== null) {
      // The drafts of a vehicle go with it; what it has done stays as it was published.
      const draft = drafts.get(id);
      agree(draft === undefined || seen.vehicles.get(draft.vehicleId).deleted_at !== null, () => `the deleted order ${id} is in the current plan ${JSON.stringify(draft)}`);
      continue;
    }
    const at = ({ scheduled_at, vehicle_id, driver_id }: Wire) => (scheduled_at === null ? null : { startMs: new Date(scheduled_at).getTime(), vehicleId: vehicle_id, driverId: driver_id });
    // A plan that has been deleted was finished: what was done in it stays on record at its orders.
    if (!isLeftByDeletion(seen, hidden.plan_id)) same(`where planning has the order ${id}`, at(hidden), drafts.get(id) ?? null);
    if (!isLeftByDeletion(seen, hidden.published_plan_id)) same(`where drivers have the order ${id}`, at(shown), published.get(id) ?? null);
  }
}

const isLeftByDeletion = (seen: Seen, planId: string | null): boolean => planId !== null && seen.plans.get(planId).deleted_at !== null;

interface SeenPlace {
  startMs: number;
  vehicleId: string;
  driverId: string | null;
}

function placesIn(plans: [plan: Wire, stops: Wire[]][]): Map<string, SeenPlace> {
  const places = new Map<string, SeenPlace>();
  for (const [plan, stops] of plans) {
    for (const stop of stops.filter(({ order_id: id }) => id !== undefined)) {
      agree(!places.has(stop.order_id), () => `the order ${stop.order_id} has two places: ${shiftOf(plan)} and ${places.get(stop.order_id)!.vehicleId}`);
      places.set(stop.order_id, { startMs: ms(stop.start_at), vehicleId: plan.vehicle_id, driverId: stop.driver_id });
    }
  }
  return places;
}

interface Span {
  who: string;
  startMs: number;
  endMs: number;
  plan: Wire;
}

/** When vehicle and drivers are at work; the drivers of a handover are both there during the break. */
function spansOf(seen: Seen, plan: Wire, view: 'planning' | 'published'): Span[] {
  const { start_at: start, end_at: end, stops, driver_id: first } = view === 'planning' ? plan : plan.published;
  if (start === null) return [];
  const spans: Span[] = [{ who: `vehicle ${plan.vehicle_id}`, startMs: ms(start), endMs: ms(end), plan }];
  let [driverId, fromMs] = [first, ms(start)];
  const close = (endMs: number) => driverId !== null && spans.push({ who: `driver ${driverId}`, startMs: fromMs, endMs, plan });
  for (const stop of stops.filter(({ kind }: Wire) => kind === 'break')) {
    const { replacement_driver_id: next } = seen.orders.get(stop.order_id)![view];
    if (next === null) continue;
    close(ms(stop.end_at));
    [driverId, fromMs] = [next, ms(stop.start_at)];
  }
  close(ms(end));
  return spans;
}

/**
 * Neither a vehicle nor a driver is in two places, and drivers rest, among drafts as well as among what drivers go by. Where an
 * administrator wanted it otherwise one of the two plans says so in a warning, and before drivers went by it, it was acknowledged.
 */
function nobodyIsInTwoPlaces(seen: Seen, { nowMs }: Moment): void {
  const conflicts = (spans: Span[]) => spans.flatMap((one, index) => spans.slice(index + 1).flatMap((other) => {
    if (one.who !== other.who || one.plan.id === other.plan.id) return [];
    const gapMs = Math.max(one.startMs, other.startMs) - Math.min(one.endMs, other.endMs);
    return gapMs >= (one.who.startsWith('vehicle') ? 0 : restSeconds * 1_000) ? [] : [[one, other] as const];
  }));
  const isSaid = (warnings: string[], { who }: Span) => warnings.some((warning) => warning.includes(`${who} `));
  for (const [one, other] of conflicts(currentPlans(seen).flatMap((plan) => spansOf(seen, plan, 'planning')))) {
    agree(isSaid([...one.plan.warnings, ...other.plan.warnings], one), () => `in planning, ${told(one, other, nowMs)}, and no warning says so`);
  }
  for (const [one, other] of conflicts(standing(seen, ['published']).flatMap((plan) => spansOf(seen, plan, 'published')))) {
    const acknowledged = [one, other].flatMap(({ plan }) => seen.publications.get(plan.published.publication_id).acknowledged_warnings as string[]);
    agree(isSaid(acknowledged, one), () => `in what drivers go by, ${told(one, other, nowMs)}, and nobody acknowledged it`);
  }
}

const told = (one: Span, other: Span, nowMs: number): string =>
  `${one.who} is at work in ${[one, other].map(({ plan, startMs, endMs }) => `${shiftOf(plan)} (${plan.id}) from ${new Date(startMs).toISOString()} to ${new Date(endMs).toISOString()}`).join(' and in ')}; it is ${new Date(nowMs).toISOString()}`;

function oneOrderInProgressForEachDriver(seen: Seen): void {
  const busy = [...seen.orders.values()].filter(({ planning, published }) => planning.status === 'in_progress' && planning.deleted_at === null && published.driver_id !== null).map(({ published }) => published.driver_id);
  same('the drivers at two orders', busy.filter((id, index) => busy.indexOf(id) !== index), []);
}

/** One reservation of a group becomes an order, which is served in the window that was promised as long as nobody edits it. */
function reservationsHold(before: Seen, seen: Seen): void {
  const confirmed = [...seen.reservations.values()].filter(({ status }) => status === 'confirmed');
  const groups = confirmed.map(({ group_id: group }) => group);
  same('the groups of which two windows were confirmed', groups.filter((group, index) => groups.indexOf(group) !== index), []);
  for (const { id, order_id: orderId, start, end, duration_seconds: seconds } of confirmed) {
    if (before.reservations.get(id)?.status === 'confirmed') continue;
    const { planning: order } = seen.orders.get(orderId)!;
    if (order.scheduled_at === null) continue;
    agree(ms(start) <= ms(order.scheduled_at) && ms(order.scheduled_at) + seconds * 1_000 <= ms(end), () => `${orderId} is served at ${order.scheduled_at}, but from ${start} to ${end} was promised`);
  }
  for (const [id, { status }] of before.reservations) {
    const now = seen.reservations.get(id)!.status;
    agree(status === now || (status === 'open') || (status === 'expired' && ['dropped', 'released'].includes(now)), () => `the reservation ${id} was ${status} and is ${now}`);
  }
}

function jobsEndOnce(before: Seen, seen: Seen): void {
  for (const [id, job] of before.jobs) {
    if (job.finished_at !== null) same(`the ended job ${id}`, seen.jobs.get(id), job);
  }
}
