import { takeCapacity } from '../businesses/capacity.ts';
import { conflict, notFound, throwIfAny, type Problem } from '../contract/errors.ts';
import { reader, sqlState, transaction, type EntityManager, type Store } from '../db/store.ts';
import { emit } from '../events/emit.ts';
import type { Order } from '../orders/entity.ts';
import { createOrder } from '../orders/write-orders.ts';
import { assemblePlans } from '../planning/assemble-plans.ts';
import type { PlanningProblem } from '../planning/build-problem.ts';
import { saveVersions } from '../planning/save-versions.ts';
import { scheduleByHand } from '../planning/schedule-by-hand.ts';
import { verifyDrafts } from '../planning/verify-drafts.ts';
import { instant } from '../records/present.ts';
import { parseInstant } from '../time/instants.ts';
import { Reservation } from './entity.ts';
import { exactStart, type FoundPlace, type Wanted } from './find-places.ts';
import { judgeWindows, type Judgement, type Request } from './judge-windows.ts';
import { presentReservation } from './present.ts';
import { lockOpenReservation, refuseUnlessOpen } from './reservations.ts';
import type { ConfirmInput } from './schema.ts';

/**
 * Makes an order of a reservation, in one transaction that holds the lock of the business: nobody else changes a plan between the check
 * and the write. The remembered vehicle is tried first, and any other where it has no room any more.
 */
export async function confirmReservation(store: Store, businessId: string, id: string, input: ConfirmInput, nowMs = Date.now()): Promise<Order> {
  await warmUp(store, businessId, id, input, nowMs);
  return transaction(store, businessId, async (em) => {
    const epoch = await takeCapacity(em, businessId);
    const reservation = await lockOpenReservation(em, id, Date.now());
    const [judgement] = await judgeWindows(em, businessId, { ...requestOf(reservation, nowMs), epoch: epoch - 1 });
    if (!('place' in judgement)) throw noLongerFits(judgement);
    const order = await createOrder({ em, businessId, schedule: scheduleByHand }, orderBody(reservation, input));
    await insert(em, order, judgement);
    await settle(em, reservation, order);
    return order;
  });
}

/** Everything that takes long is computed before anybody has to wait for it; what does not fit now is refused without the lock. */
async function warmUp(store: Store, businessId: string, id: string, input: ConfirmInput, nowMs: number): Promise<void> {
  const em = reader(store, businessId);
  const reservation = await em.findOne(Reservation, { id }, { disableIdentityMap: true });
  if (reservation === null) throw notFound('reservation', id);
  throwIfAny(disagreements(reservation, input));
  refuseUnlessOpen(reservation, nowMs);
  const [judgement] = await judgeWindows(em, businessId, requestOf(reservation, nowMs));
  if (!('place' in judgement)) throw noLongerFits(judgement);
}

const requestOf = (reservation: Reservation, nowMs: number): Request => ({
  location: reservation.location, durationSeconds: reservation.durationSeconds,
  windows: [{ startMs: reservation.windowStart.getTime(), endMs: reservation.windowEnd.getTime() }],
  scheduleLock: reservation.scheduleLock, assignmentLock: reservation.assignmentLock,
  asOfMs: Math.ceil(nowMs / 1_000) * 1_000,
  prefer: { vehicleId: reservation.vehicleId, date: reservation.shiftDate },
});

const noLongerFits = ({ whyNot }: Extract<Judgement, { whyNot: unknown }>) => conflict(`the window is not available any more: ${whyNot.detail}`);

/** Where, when and how long is what was reserved; a client may repeat it, but not change it. */
function disagreements(reservation: Reservation, { order = {} }: ConfirmInput): Problem[] {
  const { location } = order;
  const isOther = (text: string | undefined, at: Date) => text !== undefined && parseInstant(text) !== at.getTime();
  const message = 'is not what was reserved';
  return [
    ...(location && (location.latitude !== reservation.location.latitude || location.longitude !== reservation.location.longitude) ? [{ path: '/order/location', message }] : []),
    ...(order.duration_seconds !== undefined && order.duration_seconds !== reservation.durationSeconds ? [{ path: '/order/duration_seconds', message }] : []),
    ...(isOther(order.window_start, reservation.windowStart) ? [{ path: '/order/window_start', message }] : []),
    ...(isOther(order.window_end, reservation.windowEnd) ? [{ path: '/order/window_end', message }] : []),
  ];
}

const orderBody = (reservation: Reservation, { order = {} }: ConfirmInput) => ({
  ...order,
  location: reservation.location, duration_seconds: reservation.durationSeconds,
  window_start: instant(reservation.windowStart), window_end: instant(reservation.windowEnd),
});

/** Writes the planning version that serves the order too; the verifier has the last word. */
async function insert(em: EntityManager, order: Order, { place, wanted }: { place: FoundPlace; wanted: Wanted }): Promise<void> {
  const { room, position } = place;
  // The room is shared with queries that came between: it is written again, and nothing is awaited until the plan has been made of it.
  if (exactStart(room, { position, wanted, window: { startMs: Math.max(order.windowStart.getTime(), room.facts.asOfMs), endMs: order.windowEnd.getTime() } }) === null) throw new Error('a place that was found is gone');
  const planning: PlanningProblem = { ...room.planning, orders: [...room.planning.orders, order] };
  const route = room.route.toSpliced(position, 0, room.newTask);
  const drafts = assemblePlans(planning, { routes: [route], unserved: [] }, room.table);
  verifyDrafts(drafts, { facts: room.facts, request: room.request, planning, table: room.table });
  const [draft] = drafts;
  await saveVersions(em, order.businessId, [{ draft: { ...draft, vehicleId: draft.shift.vehicle.id, date: draft.shift.date }, unplannedOrderIds: [], jobId: null }]);
}

const uniqueViolation = '23505';

/** One reservation of a group becomes an order; that there is no second one is a unique index of the table. */
async function settle(em: EntityManager, reservation: Reservation, order: Order): Promise<void> {
  Object.assign(reservation, { state: 'confirmed', orderId: order.id, vehicleId: order.vehicleId, startAt: order.scheduledAt });
  try {
    await em.flush();
  } catch (error) {
    if (sqlState(error) === uniqueViolation) throw conflict('another window of the same group has been confirmed');
    throw error;
  }
  await em.execute("update reservations set state = 'dropped', revision = revision + 1, updated_at = ? where business_id = ? and group_id = ? and state = 'open'", [new Date(), reservation.businessId, reservation.groupId]);
  emit(em, reservation.businessId, 'reservation.confirmed', presentReservation(reservation));
  await em.flush();
}
