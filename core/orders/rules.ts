import { conflict, type Problem } from '../contract/errors.ts';
import { customValueProblems } from '../schemas/rules.ts';
import { parseInstant } from '../time/instants.ts';
import { isFinished } from '../plans/current-plans.ts';
import type { Body } from '../records/kind.ts';
import type { Order } from './entity.ts';

const isInstant = (text: string): boolean => parseInstant(text) !== null;

/** The rules of one order by itself. */
export function orderProblems(order: Order): Problem[] {
  const problems: Problem[] = [];
  const windowMs = order.windowEnd.getTime() - order.windowStart.getTime();
  if (windowMs <= 0) problems.push({ path: '/window_end', message: 'must be after window_start' });
  else if (windowMs < order.durationSeconds * 1_000) problems.push({ path: '/duration_seconds', message: `the window lasts ${Math.floor(windowMs / 1_000)} s, but the whole service must fit into it` });
  if (order.type === 'break') {
    if (!order.selectedVehicleId) problems.push({ path: '/vehicle_id', message: 'a break belongs to a vehicle' });
  } else if (order.replacementDriverId) {
    problems.push({ path: '/replacement_driver_id', message: 'is for breaks only' });
  }
  return [...problems, ...customValueProblems(order.customFields, order.schemaSnapshot, isInstant)];
}

/** What planning depends on; an order that has begun keeps these. */
const plannedFields = ['location', 'durationSeconds', 'windowStart', 'windowEnd', 'type', 'selectedVehicleId', 'selectedDriverId', 'replacementDriverId'] as const;

/** Fields of a body that can change the plan that an order is in. */
const planningFields = ['location', 'duration_seconds', 'window_start', 'window_end', 'vehicle_id', 'driver_id', 'replacement_driver_id', 'scheduled_at'];

export const mayChangePlanning = (body: Body): boolean => planningFields.some((field) => body[field] !== undefined);

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a ?? null) === JSON.stringify(b ?? null);

export const changesPlanning = (order: Order, before: Partial<Order>): boolean => plannedFields.some((field) => !isSame(order[field], before[field]));

export function refuseChangeOfLiveWork(order: Order): void {
  if (order.status === 'in_progress') throw conflict('the order is in progress: where, when and by whom can not be changed now');
  if (isFinished(order.status)) throw conflict(`the order is ${order.status}: where, when and by whom can not be changed any more`);
}
