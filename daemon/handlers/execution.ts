import { reader, transaction, type EntityManager } from '../../core/db/store.ts';
import { changeDuty } from '../../core/execution/change-duty.ts';
import { editOrder } from '../../core/execution/edit-order.ts';
import { presentAction } from '../../core/execution/present.ts';
import { listActions } from '../../core/execution/read-actions.ts';
import { completeOrder, giveUpOrder, startOrder, type OrderAction } from '../../core/execution/run-order.ts';
import type { DutyInput } from '../../core/execution/schema.ts';
import type { Handler, Handlers } from '../call.ts';
import { driverOf } from './driver-app.ts';

/** An action of the driver on an order of theirs, in one transaction. */
function onOrder<Input>(act: (em: EntityManager, action: OrderAction<Input>) => Promise<object>): Handler {
  return async (call) => {
    const { businessId, driverId } = driverOf(call);
    const action = { businessId, driverId, orderId: call.params.order, input: call.body as Input, ifMatch: call.ifMatch };
    return { body: await transaction(call.service.store, businessId, (em) => act(em, action)) };
  };
}

export const executionHandlers: Handlers = {
  'driver.duty': async (call) => {
    const { businessId, driverId } = driverOf(call);
    return { body: await transaction(call.service.store, businessId, (em) => changeDuty(em, { businessId, driverId, input: call.body as DutyInput })) };
  },
  'driver.orders.start': onOrder(startOrder),
  'driver.orders.complete': onOrder(completeOrder),
  'driver.orders.unable': onOrder(giveUpOrder),
  'driver.orders.update': onOrder(editOrder),
  'orders.actions': async ({ service, businessId, params, query }) => {
    const { records, nextCursor } = await listActions(reader(service.store, businessId), businessId, params.order, query);
    return { body: { items: records.map(presentAction), next_cursor: nextCursor } };
  },
};
