import type { OrderStatus } from '../../core/orders/schema.ts';
import type { WorkingHours } from '../../core/time/working-hours.ts';

/** What the model knows: plain data, so that it can be copied before it is tried out. Instants are epoch milliseconds. */
export interface Model {
  season: Season;
  nowMs: number;
  epoch: number;
  orders: Record<string, OrderState>;
  vehicles: Record<string, VehicleState>;
  drivers: Record<string, DriverState>;
  warehouses: Record<string, WarehouseState>;
  /** Every version that there has ever been. */
  plans: Record<string, PlanState>;
  reservations: Record<string, ReservationState>;
}

/** Three dates around a change of the clock. */
export interface Season {
  dates: readonly [string, string, string];
  startMs: number;
}

export interface Place {
  planId: string;
  vehicleId: string;
  driverId: string | null;
  startMs: number;
}

/** What drivers go by until the next publication, whatever is edited meanwhile. */
export interface Errand {
  minute: number;
  durationSeconds: number;
  windowStartMs: number;
  windowEndMs: number;
  replacementDriverId: string | null;
}

export interface OrderState extends Errand {
  id: string;
  type: 'task' | 'break';
  customFields: Record<string, unknown>;
  status: OrderStatus;
  pendingStatus: OrderStatus | null;
  /** The status that was live when the pending one was chosen. */
  pendingFrom: OrderStatus | null;
  selectedVehicleId: string | null;
  selectedDriverId: string | null;
  /** A start that was chosen by hand: planning keeps to it. */
  selectedStartMs: number | null;
  planned: Place | null;
  published: Place | null;
  errand: Errand | null;
  startedMs: number | null;
  completedMs: number | null;
  isDeleted: boolean;
}

export interface VehicleState {
  id: string;
  name: string;
  driverId: string | null;
  warehouseId: string;
  hours: WorkingHours;
  isDeleted: boolean;
}

export interface DriverState {
  id: string;
  isActive: boolean;
  isOnline: boolean;
  dutyVehicleId: string | null;
  minute: number | null;
  seenMs: number | null;
  isLocationDenied: boolean;
  /** The test holds a token of this driver. */
  hasApp: boolean;
  /** And it works. */
  isSignedIn: boolean;
  /** The actions that carried an id, with what was answered. */
  actions: Record<string, { what: string; answer: string }>;
  isDeleted: boolean;
}

export interface WarehouseState {
  id: string;
  minute: number;
  isDeleted: boolean;
}

/** Visits to the warehouse are left out: they follow from the hours. */
export interface StopState {
  orderId: string;
  startMs: number;
  endMs: number;
  driverId: string | null;
}

/* eslint-disable @typescript-eslint/no-explicit-any */
export type Wire = any;

export interface PlanState {
  id: string;
  vehicleId: string;
  date: string;
  state: 'planning' | 'published' | 'superseded';
  stops: StopState[];
  /** What is shown of it, as it was when it was last written. */
  row: Wire;
  snapshot: Wire;
  receivedMs: number | null;
  isDeleted: boolean;
}

export interface ReservationState {
  id: string;
  groupId: string;
  state: 'open' | 'confirmed' | 'dropped' | 'released';
  minute: number;
  durationSeconds: number;
  startMs: number;
  endMs: number;
  expiresMs: number;
  scheduleLock: boolean;
  assignmentLock: boolean;
  orderId: string | null;
  /** Where it was found to fit, and in which state of the world. */
  epoch: number;
  foundMs: number;
  isDeleted: boolean;
}

/** What the service did is not what the model says. */
export class Disagreement extends Error {
  override name = 'Disagreement';
}

export function agree(condition: boolean, message: () => string): asserts condition {
  if (!condition) throw new Disagreement(message());
}

/** The same by value, whatever the order of keys. */
export function same(what: string, seen: unknown, expected: unknown): void {
  const [a, b] = [canonical(seen), canonical(expected)];
  if (a !== b) throw new Disagreement(`${what} is ${a}, but should be ${b}`);
}

export const canonical = (value: unknown): string =>
  JSON.stringify(value, (_key, each: unknown) => (each && typeof each === 'object' && !Array.isArray(each) ? Object.fromEntries(Object.entries(each).toSorted(([a], [b]) => (a < b ? -1 : 1))) : each)) ?? 'nothing';

export const active = <T extends { isDeleted: boolean }>(records: Record<string, T>): T[] => Object.values(records).filter(({ isDeleted }) => !isDeleted);

/** An active record by id. */
export const at = <T extends { isDeleted: boolean }>(records: Record<string, T>, id: string | null): T | null => (id !== null && records[id] && !records[id].isDeleted ? records[id] : null);

export const isFinished = ({ status }: Pick<OrderState, 'status'>): boolean => status === 'completed' || status === 'unable_to_complete' || status === 'cancelled';
/** What a driver has done does not move. */
export const isLive = ({ status }: Pick<OrderState, 'status'>): boolean => status === 'in_progress' || status === 'completed' || status === 'unable_to_complete';

/** The planning version of a shift where there is one, else the published one. */
export function currentPlan(model: Model, vehicleId: string, date: string): PlanState | null {
  const standing = active(model.plans).filter((plan) => plan.vehicleId === vehicleId && plan.date === date && plan.state !== 'superseded');
  return standing.find(({ state }) => state === 'planning') ?? standing[0] ?? null;
}

export function currentPlans(model: Model): PlanState[] {
  const standing = active(model.plans).filter(({ state }) => state !== 'superseded');
  return standing.filter((plan) => plan.state === 'planning' || !standing.some((other) => other.state === 'planning' && other.vehicleId === plan.vehicleId && other.date === plan.date));
}

export const publishedPlans = (model: Model): PlanState[] => active(model.plans).filter(({ state }) => state === 'published');

/** The instants of texts in a plan. */
export const ms = (instant: string): number => Date.parse(instant);
export const instant = (atMs: number): string => new Date(atMs).toISOString().replace('.000Z', 'Z');
export const instantOrNull = (atMs: number | null): string | null => (atMs === null ? null : instant(atMs));

export const stopsOf = (stops: Wire[]): StopState[] => stops.flatMap((stop) => (stop.order_id === undefined ? [] : [{ orderId: stop.order_id, startMs: ms(stop.start_at), endMs: ms(stop.end_at), driverId: stop.driver_id }]));
