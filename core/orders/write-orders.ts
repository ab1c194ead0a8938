import { conflict, invalid, taken, throwIfAny, type Problem } from '../contract/errors.ts';
import { lockCapacity, takeCapacity } from '../businesses/capacity.ts';
import { rowLock, type EntityManager } from '../db/store.ts';
import { Driver } from '../drivers/entity.ts';
import { crewOf } from '../execution/crew.ts';
import { settleOnRoad } from '../execution/settle-on-road.ts';
import type { ScheduleByHand } from '../planning/schedule-by-hand.ts';
import type { Body, Intent } from '../records/kind.ts';
import { getRecord, recordsById } from '../records/read-records.ts';
import { chosenId, flushNew, keepEqualValues, lockRecord, markDeleted } from '../records/write-records.ts';
import type { SchemaSnapshot } from '../schemas/entity.ts';
import { captureSchemas } from '../schemas/kind.ts';
import { Vehicle } from '../vehicles/entity.ts';
import { instantOf, orderColumns } from './columns.ts';
import { Order } from './entity.ts';
import { changesPlanning, mayChangePlanning, orderProblems, refuseChangeOfLiveWork } from './rules.ts';
import type { OrderStatus } from './schema.ts';

/** `q` also looks into the values of custom fields, whatever their type. */
const customValues = `jsonb_path_query_array(custom_fields, '$.*')::text`;
export const orderKind = { word: 'order', entity: Order, searched: [] as const, searchedExpressions: [customValues] };

interface Context {
  em: EntityManager;
  businessId: string;
  /** Puts an order into a planning version, or takes it out, as the administrator says. */
  schedule: ScheduleByHand;
}

export async function createOrder(context: Context, body: Body): Promise<Order> {
  const [order] = await createOrders(context, [body], (_index, path) => path);
  return order;
}

/** All or none. `locate` puts the path of a problem into the path of the whole body. */
export async function createOrders(context: Context, bodies: Body[], locate = (index: number, path: string) => `/items/${index}${path}`): Promise<Order[]> {
  const { em, businessId } = context;
  if (bodies.some((body) => body.scheduled_at != null)) await lockCapacity(em, businessId);
  const snapshot = await captureSchemas(em);
  await refuseTakenIds(em, bodies, locate);
  const orders = bodies.map((body) => newOrder(em, businessId, body, snapshot));
  const problems = orders.flatMap((order, index) => orderProblems(order).map((problem) => ({ ...problem, path: locate(index, problem.path) })));
  problems.push(...(await referenceProblems(em, orders, locate)));
  throwIfAny(problems);
  await flushNew(em, 'order', orders);
  for (const [index, order] of orders.entries()) await scheduleNew(context, order, bodies[index], locate(index, '/scheduled_at'));
  return orders;
}

async function refuseTakenIds(em: EntityManager, bodies: Body[], locate: (index: number, path: string) => string): Promise<void> {
  const ids = bodies.map(chosenId);
  const seen = new Set<string>();
  ids.forEach((id, index) => {
    if (id === undefined) return;
    if (seen.has(id)) throw conflict(`the id ${JSON.stringify(id)} is given twice`, [{ path: locate(index, '/id'), message: 'is given twice' }]);
    seen.add(id);
  });
  if (seen.size === 0) return;
  const [there] = await em.find(Order, { id: { $in: [...seen] } }, { limit: 1, fields: ['id'] as never });
  if (there) throw taken('order', there.id, locate(ids.indexOf(there.id), '/id'));
}

function newOrder(em: EntityManager, businessId: string, body: Body, schemaSnapshot: SchemaSnapshot): Order {
  const id = chosenId(body);
  const order = em.create(Order, {
    businessId, ...(id === undefined ? {} : { id }), type: 'task', customFields: withoutNulls((body.custom_fields as Record<string, unknown> | undefined) ?? {}), schemaSnapshot,
    selectedVehicleId: (body.vehicle_id as string | null | undefined) ?? null,
    selectedDriverId: (body.driver_id as string | null | undefined) ?? null,
    ...orderColumns(body),
  } as never);
  return Object.assign(order, statusColumns(body, { status: 'created', pendingStatus: null }));
}

/** A null clears a custom value. */
const withoutNulls = (values: Record<string, unknown>): Record<string, unknown> => Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));

/**
 * An administrator's status waits as pending_status until it is published. What differs from what is there is what is wanted, so that
 * either field of what was read may be edited and all of it sent back. The live status alone withdraws what was pending.
 */
function statusColumns({ status, pending_status: pending }: Body, order: Pick<Order, 'status' | 'pendingStatus'>): Partial<Order> {
  const pendingChanges = pending !== undefined && pending !== (order.pendingStatus ?? null);
  const statusCounts = status !== undefined && (pending === undefined || status !== order.status);
  if (!pendingChanges && !statusCounts) return {};
  const wanted = (pendingChanges ? pending : status) as OrderStatus | null;
  const pendingStatus = wanted === order.status ? null : wanted;
  return { pendingStatus, pendingFrom: pendingStatus === null ? null : order.status };
}

type References = Pick<Order, 'selectedVehicleId' | 'selectedDriverId' | 'replacementDriverId'>;

/** Vehicles and drivers that the orders name must be there; until the transaction ends they can not be deleted. */
async function referenceProblems(em: EntityManager, orders: References[], locate: (index: number, path: string) => string): Promise<Problem[]> {
  const named = (of: (order: References) => (string | null | undefined)[]) => [...new Set(orders.flatMap(of).filter((id): id is string => typeof id === 'string'))].sort();
  const vehicles = await recordsById<Vehicle>(em, Vehicle, named((order) => [order.selectedVehicleId]), rowLock.read);
  const drivers = await recordsById<Driver>(em, Driver, named((order) => [order.selectedDriverId, order.replacementDriverId]), rowLock.read);
  const missing = (id: string | null | undefined, found: Map<string, unknown>, word: string, path: string): Problem[] => (typeof id === 'string' && !found.has(id) ? [{ path, message: `names no ${word}` }] : []);
  return orders.flatMap((order, index) => [
    ...missing(order.selectedVehicleId, vehicles, 'vehicle', locate(index, '/vehicle_id')),
    ...missing(order.selectedDriverId, drivers, 'driver', locate(index, '/driver_id')),
    ...missing(order.replacementDriverId, drivers, 'driver', locate(index, '/replacement_driver_id')),
  ]);
}

async function scheduleNew(context: Context, order: Order, body: Body, path: string): Promise<void> {
  const startAt = instantOf(body.scheduled_at);
  if (!startAt) return;
  if (!order.selectedVehicleId) throw invalid(path, 'needs a vehicle_id as well');
  refuseFractions(startAt, path);
  await context.schedule.place(context.em, order, { vehicleId: order.selectedVehicleId, startAt });
}

/**
 * Merges the fields of the body. A changed vehicle or time moves the order in the planning version at once; a change of what planning
 * depends on leaves the order where it is and turns what no longer fits into warnings of its plan.
 */
export async function updateOrder(context: Context, id: string, body: Body, intent: Intent): Promise<Order> {
  const { em, businessId } = context;
  // Before the order: a driver's action holds the capacity and then wants the order.
  if (mayChangePlanning(body)) await lockCapacity(em, businessId);
  const order = await lockRecord<Order>(em, orderKind, id, { ifMatch: intent.ifMatch, revision: body.revision });
  const before: Partial<Order> = { ...order };
  if (body.type !== undefined && body.type !== order.type) throw invalid('/type', 'can not change after creation');
  Object.assign(order, orderColumns(body), statusColumns(body, order), selection(order, body));
  if (body.custom_fields !== undefined) order.customFields = withoutNulls({ ...order.customFields, ...(body.custom_fields as object) });
  keepEqualValues(order, before);
  const move = wantedMove(order, body, before);
  const replans = changesPlanning(order, before);
  if (replans || move !== null) refuseChangeOfLiveWork({ ...order, status: before.status! } as Order);
  const problems = [...orderProblems(order), ...(await referenceProblems(em, [newReferences(order, before)], (_index, path) => path))];
  throwIfAny(problems);
  if (move !== null) await applyMove(context, order, move);
  else if (replans && order.planId) await context.schedule.refresh(em, order);
  await em.flush();
  return order;
}

/** What an edit does not touch was right when it was written, and may have been deleted since. */
function newReferences(order: Order, before: Partial<Order>): References {
  const changed = (column: keyof References) => (order[column] === before[column] ? null : order[column]);
  return { selectedVehicleId: changed('selectedVehicleId'), selectedDriverId: changed('selectedDriverId'), replacementDriverId: changed('replacementDriverId') };
}

/** Only a value that differs from what is shown is an edit: what GET returned can be sent back. */
function selection(order: Order, body: Body): Partial<Order> {
  const columns: Partial<Order> = {};
  const vehicleId = body.vehicle_id as string | null | undefined;
  const driverId = body.driver_id as string | null | undefined;
  if (vehicleId !== undefined && vehicleId !== (order.vehicleId ?? order.selectedVehicleId ?? null)) columns.selectedVehicleId = vehicleId;
  if (driverId !== undefined && driverId !== (order.driverId ?? order.selectedDriverId ?? null)) columns.selectedDriverId = driverId;
  return columns;
}

/** Plans are made of whole seconds; cut off silently, a start could come to lie before its window. */
function refuseFractions(startAt: Date, path: string): void {
  if (startAt.getUTCMilliseconds() !== 0) throw invalid(path, 'must be a whole second');
}

type Move = { kind: 'unschedule' } | { kind: 'place'; vehicleId: string; startAt: Date };

function wantedMove(order: Order, body: Body, before: Partial<Order>): Move | null {
  const startAt = instantOf(body.scheduled_at);
  const timeChanged = startAt !== undefined && startAt?.getTime() !== before.scheduledAt?.getTime();
  if (timeChanged && startAt === null) return { kind: 'unschedule' };
  const vehicleChanged = order.selectedVehicleId !== before.selectedVehicleId;
  // Without its vehicle a planned order has no place.
  if (body.vehicle_id === null && before.planId) return { kind: 'unschedule' };
  if (!timeChanged && !(vehicleChanged && before.planId)) return null;
  const vehicleId = vehicleChanged ? order.selectedVehicleId : (order.vehicleId ?? order.selectedVehicleId);
  if (!vehicleId) throw invalid('/scheduled_at', 'needs a vehicle_id as well');
  if (startAt) refuseFractions(startAt, '/scheduled_at');
  return { kind: 'place', vehicleId, startAt: timeChanged ? startAt! : before.scheduledAt! };
}

async function applyMove(context: Context, order: Order, move: Move): Promise<void> {
  if (move.kind === 'unschedule') await context.schedule.remove(context.em, order);
  else await context.schedule.place(context.em, order, { vehicleId: move.vehicleId, startAt: move.startAt });
}

/** Leaves the plans and releases its capacity; what was executed stays on record. */
export async function deleteOrder(context: Context, id: string, intent: Intent): Promise<void> {
  const { em, businessId } = context;
  await takeCapacity(em, businessId);
  const order = await lockRecord<Order>(em, orderKind, id, { ifMatch: intent.ifMatch });
  if (order.status === 'in_progress') throw conflict('the order is in progress');
  if (order.planId) await context.schedule.remove(em, order);
  markDeleted(order, intent);
  await em.flush();
  if (order.publishedPlanId) await settleOnRoad(em, await crewOf(em, businessId, order.id));
}

export const getOrder = (em: EntityManager, id: string, status?: 'active' | 'deleted' | 'all') => getRecord<Order>(em, orderKind, id, status);
