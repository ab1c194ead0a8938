import { conflict } from '../contract/errors.ts';
import { Business } from '../businesses/entity.ts';
import type { EntityManager } from '../db/store.ts';
import { presentOrderForDriver } from '../driver-app/refresh.ts';
import { refuseWithoutEvidence } from '../evidence/required-evidence.ts';
import type { Order } from '../orders/entity.ts';
import { columnsOf } from '../orders/published-details.ts';
import { isFinished } from '../plans/current-plans.ts';
import { nextOrder } from './next-order.ts';
import { ownOrder, refuseBeforeRelease, refuseOffDuty } from './own-order.ts';
import { performAction, type Acting, type Done } from './perform-action.ts';
import type { ActionInput, UnableInput } from './schema.ts';
import { settleOnRoad } from './settle-on-road.ts';

export interface OrderAction<Input> {
  businessId: string;
  driverId: string;
  orderId: string;
  input: Input;
  /** The revisions in If-Match, one of which the order must have. */
  ifMatch?: readonly number[];
}

/** What counts is the published snapshot, whatever has become of the order in the draft since. */
export function startOrder(em: EntityManager, { businessId, driverId, orderId, input }: OrderAction<ActionInput>): Promise<object> {
  return performAction(em, { businessId, driverId, orderId, kind: 'order_started', input }, async (acting) => {
    const order = await orderToWorkOn(acting, orderId, input);
    if (order.status === 'in_progress') throw conflict('the order is in progress already');
    if (isFinished(order.status)) throw conflict(`the order is ${order.status}`);
    const next = await nextOrder(em, driverId);
    if (next.inProgress) throw conflict(`the order ${next.inProgress.id} is in progress: complete it first, or report that it can not be completed`);
    if (next.waitsFor) throw conflict(`the vehicle has not been handed over yet: the stop ${next.waitsFor.order.id} of another driver comes first`);
    if (next.order?.id !== order.id) throw conflict(next.order ? `the order ${next.order.id} comes first` : 'the order is not the next one');
    // What is done is what was published: edits that wait for a publication come too late for it.
    Object.assign(order, { status: 'in_progress', actualStartedAt: acting.at, actualCompletedAt: null }, order.publishedDetails && columnsOf(order.publishedDetails));
    await em.flush();
    return { answer: presentOrderForDriver(order) };
  });
}

export function completeOrder(em: EntityManager, { businessId, driverId, orderId, input }: OrderAction<ActionInput>): Promise<object> {
  return performAction(em, { businessId, driverId, orderId, kind: 'order_completed', input }, async (acting) => {
    const order = await orderInProgress(acting, orderId, input);
    const business = await em.findOneOrFail(Business, { id: order.businessId });
    await refuseWithoutEvidence(em, business.evidence, order);
    return endOrder(acting, order, 'completed');
  });
}

/** The reason goes on record with the action: GET …/orders/{order}/actions. */
export function giveUpOrder(em: EntityManager, { businessId, driverId, orderId, input }: OrderAction<UnableInput>): Promise<object> {
  return performAction(em, { businessId, driverId, orderId, kind: 'order_unable_to_complete', input }, async (acting) => {
    const order = await orderInProgress(acting, orderId, input);
    return { ...(await endOrder(acting, order, 'unable_to_complete')), reason: input.reason };
  });
}

async function orderToWorkOn({ em, driver, at }: Acting, orderId: string, input: ActionInput): Promise<Order> {
  const order = await ownOrder(em, driver.id, orderId, { lock: true });
  refuseOffDuty(driver);
  refuseBeforeRelease(order, at, input.captured_at);
  return order;
}

async function orderInProgress(acting: Acting, orderId: string, input: ActionInput): Promise<Order> {
  const order = await orderToWorkOn(acting, orderId, input);
  if (order.status !== 'in_progress') throw conflict(isFinished(order.status) ? `the order is ${order.status}` : 'the order has not been started');
  return order;
}

/** Then the next one is on: the driver's own, or after a handover that of whoever takes over. */
async function endOrder({ em, at, crew }: Acting, order: Order, status: 'completed' | 'unable_to_complete'): Promise<Done> {
  Object.assign(order, { status, actualCompletedAt: at });
  await em.flush();
  await settleOnRoad(em, crew);
  return { answer: presentOrderForDriver(order) };
}
