import { at as location } from '../support/line-world.ts';
import type { Seen } from './seen.ts';
import { shownOrder, shownToDriver } from './shown.ts';
import { agree, canonical, Disagreement, instantOrNull, type Model, type Wire } from './state.ts';

/** Everything that is seen is what the model says, and nothing is there that it does not know. All differences are told at once. */
export function compare(model: Model, seen: Seen): void {
  const differences = [
    ...(seen.epoch === model.epoch ? [] : [`preview_epoch is ${seen.epoch}, but should be ${model.epoch}`]),
    ...orderDifferences(model, seen), ...planDifferences(model, seen), ...resourceDifferences(model, seen), ...reservationDifferences(model, seen), ...driverDifferences(model, seen),
  ];
  if (differences.length > 0) throw new Disagreement(differences.join('\n'));
}

type Difference = string;

/** By id: both sides have the same ids, and each seen record has the fields that are expected of it. */
function against(kind: string, seen: Map<string, Wire>, expected: Record<string, Wire>): Difference[] {
  const ids = new Set([...seen.keys(), ...Object.keys(expected)]);
  return [...ids].flatMap((id) => {
    if (!seen.has(id)) return [`there is no ${kind} ${id}`];
    if (!Object.hasOwn(expected, id)) return [`the ${kind} ${id} comes from nowhere: ${canonical(seen.get(id))}`];
    return Object.entries(expected[id]).flatMap(([field, value]) => {
      const [a, b] = [canonical(seen.get(id)[field]), canonical(value)];
      return a === b ? [] : [`${field} of the ${kind} ${id} is ${a}, but should be ${b}`];
    });
  });
}

function orderDifferences({ orders }: Model, seen: Seen): Difference[] {
  const view = (name: 'planning' | 'published' | 'hidden') => new Map([...seen.orders].map(([id, order]) => [id, isDeletedAt(order[name])]));
  const expected = (of: (order: Model['orders'][string]) => Wire) => Object.fromEntries(Object.values(orders).map((order) => [order.id, of(order)]));
  return [
    ...against('order', view('planning'), expected((order) => ({ ...shownOrder(order, 'planning'), isDeleted: order.isDeleted }))),
    ...against('published order', view('published'), expected((order) => shownOrder(order, 'published'))),
    ...against('hidden part of the order', view('hidden'), expected((order) => ({
      plan_id: order.planned?.planId ?? null, published_plan_id: order.published?.planId ?? null, selected_vehicle_id: order.selectedVehicleId, selected_driver_id: order.selectedDriverId,
      selected_start_at: order.selectedStartMs === null ? null : new Date(order.selectedStartMs), pending_from: order.pendingFrom,
    }))),
  ];
}

const isDeletedAt = (record: Wire): Wire => ({ ...record, isDeleted: record.deleted_at != null });

function planDifferences({ plans }: Model, seen: Seen): Difference[] {
  const rows = new Map([...seen.plans].map(([id, { published, ...plan }]) => {
    const { revision, ...snapshot } = published ?? {};
    return [id, { ...isDeletedAt(plan), published: published && snapshot, isPublishedRevision: published ? revision : null }];
  }));
  return [
    ...against('plan', rows, Object.fromEntries(Object.values(plans).map((plan) => [plan.id, {
      state: plan.state, vehicle_id: plan.vehicleId, date: plan.date, driver_id: plan.row.driver_id, start_at: plan.row.start_at, end_at: plan.row.end_at, stops: plan.row.stops,
      return_leg: plan.row.return_leg, warnings: plan.row.warnings, published: plan.snapshot, received_at: instantOrNull(plan.receivedMs), isDeleted: plan.isDeleted,
    }]))),
    ...[...seen.plans.values()].flatMap(({ id, state, revision, published, deleted_at: deletedAt }) =>
      (state === 'published' && !deletedAt && published.revision !== revision ? [`the plan ${id} was published as revision ${published.revision}, but is ${revision}`] : [])),
  ];
}

function resourceDifferences({ vehicles, drivers, warehouses }: Model, seen: Seen): Difference[] {
  const records = (map: Map<string, Wire>) => new Map([...map].map(([id, record]) => [id, isDeletedAt(record)]));
  const expected = <T extends { id: string }>(all: Record<string, T>, of: (each: T) => Wire) => Object.fromEntries(Object.values(all).map((each) => [each.id, of(each)]));
  return [
    ...against('vehicle', records(seen.vehicles), expected(vehicles, ({ name, driverId, warehouseId, hours, isDeleted }) => ({ name, driver_id: driverId, warehouse_id: warehouseId, working_hours: hours, isDeleted }))),
    ...against('driver', records(seen.drivers), expected(drivers, ({ isActive, isOnline, dutyVehicleId, minute, isDeleted }) => ({
      active: isActive, duty_status: isOnline ? 'online' : 'offline', duty_vehicle_id: dutyVehicleId, location: minute === null ? null : location(minute), isDeleted,
    }))),
    ...against('warehouse', records(seen.warehouses), expected(warehouses, ({ minute, isDeleted }) => ({ location: location(minute), isDeleted }))),
  ];
}

function reservationDifferences({ reservations, nowMs }: Model, seen: Seen): Difference[] {
  const rows = new Map([...seen.reservations].map(([id, record]) => [id, isDeletedAt(record)]));
  return against('reservation', rows, Object.fromEntries(Object.values(reservations).map((each) => [each.id, {
    status: each.state === 'open' && each.expiresMs <= nowMs ? 'expired' : each.state, group_id: each.groupId, order_id: each.orderId, isDeleted: each.isDeleted,
    start: instantOrNull(each.startMs), end: instantOrNull(each.endMs), location: location(each.minute), duration_seconds: each.durationSeconds, expires_at: instantOrNull(each.expiresMs),
  }])));
}

/** What a driver's app is shown is published, and all of it; and only who has access is shown anything. */
function driverDifferences(model: Model, seen: Seen): Difference[] {
  const signedIn = Object.values(model.drivers).filter(({ isSignedIn }) => isSignedIn).map(({ id }) => id).toSorted();
  agree(canonical([...seen.refreshes.keys()].toSorted()) === canonical(signedIn), () => `the drivers ${[...seen.refreshes.keys()].join(', ')} have access, but only ${signedIn.join(', ')} should`);
  return signedIn.flatMap((id) => {
    const { plans, orders } = seen.refreshes.get(id)!;
    const expected = shownToDriver(model, id);
    const byId = (records: Wire[]) => new Map(records.map((record) => [record.id, record]));
    return [...against(`plan that ${id} sees,`, byId(plans), expected.plans), ...against(`order that ${id} sees,`, byId(orders), expected.orders)];
  });
}
