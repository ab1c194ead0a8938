import type { Business } from '../businesses/entity.ts';
import type { Driver } from '../drivers/entity.ts';
import type { Order } from '../orders/entity.ts';
import type { Plan } from '../plans/entity.ts';
import type { WorkInterval } from '../time/shifts.ts';
import type { Vehicle } from '../vehicles/entity.ts';
import type { Warehouse } from '../warehouses/entity.ts';
import type { Objective } from './schema.ts';

/** What was asked for, with everything that a replay needs: kept with the job. */
export interface PlanningRequest {
  vehicle_ids: string[];
  dates: string[];
  schedule_lock: boolean;
  assignment_lock: boolean;
  include_planned: boolean;
  objectives: Objective[];
  seed: number;
  max_iterations?: number;
  time_limit_seconds?: number;
  /** The moment that counts as now: a shift that has begun by then is under way. */
  as_of: string;
}

/** One vehicle's working time that begins on one date, and the plan that stands for it now. */
export interface ShiftFacts {
  vehicle: Vehicle;
  warehouse: Warehouse;
  date: string;
  intervals: WorkInterval[];
  plan: Plan | null;
}

/** All that one run of planning reads, as of one moment. */
export interface PlanningFacts {
  business: Business;
  asOfMs: number;
  shifts: ShiftFacts[];
  /** All of them are over: what has gone by is planned as if it were to come. Beside others, a shift that is over takes no more. */
  isReplay: boolean;
  /** Active orders that have no place in a plan. */
  unplanned: Order[];
  /** The orders in the plans of `shifts` and of `otherPlans`. */
  planned: Map<string, Order>;
  drivers: Map<string, Driver>;
  /** Current plans outside this run that keep its drivers busy. */
  otherPlans: Plan[];
}

export const endOf = (intervals: WorkInterval[]): number => intervals[intervals.length - 1].endMs;

export const isLive = (order: Order): boolean => order.status === 'in_progress' || order.status === 'completed' || order.status === 'unable_to_complete';

export const replacementIn = (orders: Map<string, Order>) => (orderId: string): string | null => orders.get(orderId)?.replacementDriverId ?? null;

/** As drivers have it, whatever has been edited since. */
export const publishedReplacementIn = (orders: Map<string, Order>) => (orderId: string): string | null => orders.get(orderId)?.publishedDetails?.replacement_driver_id ?? null;

/** The start that an order in a plan keeps: its present one where the schedule is locked or an administrator has chosen it. */
export const lockedStart = (order: Order, request: PlanningRequest): number | null =>
  request.schedule_lock || order.selectedStartAt ? (order.scheduledAt?.getTime() ?? null) : null;

/** An order in a plan that this run may move, as far as its locks let it, but never leave out. */
export const isHeld = (order: Order, request: PlanningRequest): boolean => !request.include_planned || request.assignment_lock || lockedStart(order, request) !== null;

export const overlapsAny = (order: Order, horizon: WorkInterval[]): boolean =>
  horizon.some(({ startMs, endMs }) => order.windowStart.getTime() < endMs && order.windowEnd.getTime() > startMs);
