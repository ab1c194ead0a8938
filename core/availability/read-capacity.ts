import { Business } from '../businesses/entity.ts';
import type { EntityManager } from '../db/store.ts';
import { Driver } from '../drivers/entity.ts';
import { activeNetwork, type RoadNetwork } from '../networks/active-network.ts';
import { recentlyUsed } from '../networks/recently-used.ts';
import type { Order } from '../orders/entity.ts';
import type { PlanningFacts } from '../planning/facts.ts';
import { shiftKey } from '../plans/current-plans.ts';
import { driversIn } from '../plans/stops.ts';
import { shiftsOf, type Shift } from '../time/shifts.ts';
import { Vehicle } from '../vehicles/entity.ts';
import { Warehouse } from '../warehouses/entity.ts';
import { datesOf } from './asked-windows.ts';
import { pausing } from './pausing.ts';
import { liveOrders, reachOf, standingPlans, storedPlans, storedSpans, type StandingPlan, type StoredPlan, type StoredSpan } from './stored-plans.ts';

export interface TimeSpan {
  startMs: number;
  endMs: number;
}

/** One shift as planning sees it when it plans this shift alone, beside all other plans as they are. */
export interface OpenShift {
  facts: PlanningFacts;
  /** What all of this was made of: two shifts with the same key are the same. */
  key: string;
}

/** All that can serve an order within some windows, as of one moment. */
export interface Capacity {
  business: Business;
  network: RoadNetwork;
  hasVehicles: boolean;
  shifts: OpenShift[];
}

interface Asked {
  windows: readonly TimeSpan[];
  /** What counts as now. */
  asOfMs: number;
  /** The epoch that is known to be committed; absent: the one that is read. */
  epoch?: number;
}

const triesMax = 5;

/**
 * Reads the shifts that overlap the windows, with their current plans. Everything but what drivers do goes by the epoch of the business,
 * so most of it is remembered; reading again what has changed meanwhile keeps it of one moment without a transaction.
 */
export async function readCapacity(em: EntityManager, businessId: string, asked: Asked): Promise<Capacity> {
  for (let tries = 1; ; tries++) {
    const business = await em.findOneOrFail(Business, { id: businessId }, { disableIdentityMap: true });
    const epoch = asked.epoch ?? business.previewEpoch;
    const capacity = await readAsOf(em, business, { ...asked, epoch });
    if (asked.epoch !== undefined || tries === triesMax) return capacity;
    const [now] = await em.execute<{ preview_epoch: number; revision: number }[]>('select preview_epoch, revision from businesses where id = ?', [businessId]);
    if (now?.preview_epoch === epoch && now.revision === business.revision) return capacity;
  }
}

async function readAsOf(em: EntityManager, business: Business, { windows, asOfMs, epoch }: Required<Asked>): Promise<Capacity> {
  const network = await activeNetwork(em, business);
  const fleet = await readFleet(em, business, epoch);
  const shifts = await shiftsWithin(fleet, business, windows.map(({ startMs, endMs }) => ({ startMs: Math.max(startMs, asOfMs), endMs })).filter(({ startMs, endMs }) => startMs < endMs));
  if (shifts.length === 0) return { business, network, hasVehicles: fleet.vehicles.length > 0, shifts: [] };
  const plans = await readPlansAround(em, business, { epoch, dates: [...new Set(shifts.map(({ date }) => date))].sort() });
  const standing = new Map(shifts.flatMap((shift) => plans.standing.get(shiftKey(shift.vehicle.id, shift.date)) ?? []).map((plan) => [plan.id, plan]));
  const stored = await storedPlans(em, business.id, [...standing.values()]);
  const live = await liveOrders(em, business.id, [...standing.values()].flatMap(({ id, publishedId }) => (publishedId === null || publishedId === id ? [id] : [id, publishedId])));
  const isUnderWay = shifts.some(({ intervals }) => intervals[0].startMs <= asOfMs);
  const drivers = isUnderWay ? await positions(em, business, asOfMs) : new Map<string, Driver>();
  const open: OpenShift[] = [];
  for (const shift of shifts) {
    const plan = plans.standing.get(shiftKey(shift.vehicle.id, shift.date));
    open.push(openShift(shift, { business, network, asOfMs, plan, stored: plan && stored.get(plan.id), live, drivers, busy: plans.busy }));
    await pausing();
  }
  return { business, network, hasVehicles: true, shifts: open };
}

interface Fleet {
  vehicles: Vehicle[];
  warehouses: Map<string, Warehouse>;
}

const fleets = recentlyUsed<string, Fleet>(64);

/** Vehicles go by the epoch. A warehouse may be moved without it, so their revisions are part of the name. */
async function readFleet(em: EntityManager, business: Business, epoch: number): Promise<Fleet> {
  const [{ signature }] = await em.execute<{ signature: string }[]>('select count(*) || \' \' || coalesce(sum(revision), 0) as signature from warehouses where business_id = ?', [business.id]);
  const key = `${business.id} ${epoch} ${signature}`;
  const known = fleets.get(key);
  if (known) return known;
  const vehicles = await em.find(Vehicle, { deletedAt: null }, { orderBy: [{ createdAt: 'asc' }, { id: 'asc' }], disableIdentityMap: true });
  const warehouses = await em.find(Warehouse, { deletedAt: null }, { disableIdentityMap: true });
  const fleet = { vehicles, warehouses: new Map(warehouses.map((warehouse) => [warehouse.id, warehouse])) };
  fleets.set(key, fleet);
  return fleet;
}

interface VehicleShift extends Shift {
  vehicle: Vehicle;
  warehouse: Warehouse;
}

const calendars = recentlyUsed<string, Shift | null>(20_000);

/** The shifts of all vehicles that overlap one of the windows. */
async function shiftsWithin({ vehicles, warehouses }: Fleet, { id, timeZone }: Business, windows: readonly TimeSpan[]): Promise<VehicleShift[]> {
  const found: VehicleShift[] = [];
  for (const date of datesOf(windows, timeZone)) {
    for (const vehicle of vehicles) {
      const shift = shiftOn(`${id} ${vehicle.id} ${vehicle.revision} ${timeZone} ${date}`, () => shiftsOf(vehicle.workingHours, timeZone, date, date)[0] ?? null);
      const warehouse = warehouses.get(vehicle.warehouseId);
      if (shift && warehouse && windows.some((window) => window.startMs < shift.intervals[shift.intervals.length - 1].endMs && window.endMs > shift.intervals[0].startMs)) found.push({ ...shift, vehicle, warehouse });
    }
    await pausing();
  }
  return found;
}

function shiftOn(key: string, read: () => Shift | null): Shift | null {
  const known = calendars.get(key);
  if (known !== undefined) return known;
  const shift = read();
  calendars.set(key, shift);
  return shift;
}

interface PlansAround {
  standing: Map<string, StandingPlan>;
  /** By driver, the plans that take their time. */
  busy: Map<string, StoredSpan[]>;
}

const plansAround = recentlyUsed<string, PlansAround>(64);

async function readPlansAround(em: EntityManager, business: Business, { epoch, dates }: { epoch: number; dates: string[] }): Promise<PlansAround> {
  const range = reachOf(dates, business.planning.min_rest_seconds ?? 0);
  const key = `${business.id} ${epoch} ${range.join(' ')}`;
  const known = plansAround.get(key);
  if (known) return known;
  const standing = await standingPlans(em, business.id, range);
  const busy = new Map<string, StoredSpan[]>();
  for (const span of (await storedSpans(em, business.id, [...standing.values()])).values()) {
    if (!span.plan.startAt) continue;
    for (const driver of driversOf(span.plan.driverId, span.breaks)) busy.set(driver, [...(busy.get(driver) ?? []), span]);
  }
  const around = { standing, busy };
  plansAround.set(key, around);
  return around;
}

const driversOf = (first: string | null | undefined, orders: readonly Order[]): Set<string> =>
  new Set([first, ...orders.map((order) => (order.type === 'break' ? order.replacementDriverId : null))].filter((id): id is string => typeof id === 'string'));

/** Where drivers have been seen; they report it without a change of revision or epoch. */
async function positions(em: EntityManager, business: Business, asOfMs: number): Promise<Map<string, Driver>> {
  const since = new Date(asOfMs - business.planning.location_freshness_seconds * 1_000);
  const drivers = await em.find(Driver, { deletedAt: null, locationRecordedAt: { $gte: since } }, { disableIdentityMap: true });
  return new Map(drivers.map((driver) => [driver.id, driver]));
}

interface Around {
  business: Business;
  network: RoadNetwork;
  asOfMs: number;
  plan: StandingPlan | undefined;
  stored: StoredPlan | undefined;
  live: Awaited<ReturnType<typeof liveOrders>>;
  drivers: Map<string, Driver>;
  busy: Map<string, StoredSpan[]>;
}

function openShift(shift: VehicleShift, { business, network, asOfMs, plan, stored, live, drivers, busy }: Around): OpenShift {
  const { vehicle, warehouse, date, intervals } = shift;
  const orders = stored?.orders ?? [];
  const begun = orders.flatMap((order) => (live.has(order.id) ? [order.id] : []));
  const mine = new Set([...driversOf(vehicle.driverId, orders), ...driversIn(stored?.plan)]);
  const others = [...new Set([...mine].flatMap((driver) => busy.get(driver) ?? []))].filter((span) => span.plan.id !== plan?.id);
  const hasStarted = intervals[0].startMs <= asOfMs;
  const places = hasStarted ? [...mine].flatMap((id) => drivers.get(id) ?? []) : [];
  const key = JSON.stringify([
    network.for(vehicle).numbering, business.id, business.revision, vehicle.id, vehicle.revision, warehouse.id, warehouse.revision, date, plan?.id, plan?.revision,
    others.map((span) => [span.plan.id, span.plan.revision]), begun.map((id) => [id, live.get(id)!.revision]),
    hasStarted || begun.length > 0 ? asOfMs : null, places.map(({ id, location, locationRecordedAt }) => [id, location, locationRecordedAt]),
  ]);
  const planned = new Map([...others.flatMap((span) => span.breaks), ...orders].map((order) => [order.id, live.has(order.id) ? { ...order, ...live.get(order.id), revision: order.revision } : order]));
  return {
    key,
    facts: {
      business, asOfMs, isReplay: false, planned, drivers, unplanned: [],
      shifts: [{ vehicle, warehouse, date, intervals, plan: stored?.plan ?? null }],
      otherPlans: others.map((span) => span.plan),
    },
  };
}
