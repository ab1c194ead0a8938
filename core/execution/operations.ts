import { businessPath, inBusiness, operation, usualErrors } from '../contract/operation.ts';
import { listOf, listQuery } from '../contract/schemas.ts';
import { driver } from '../drivers/schema.ts';
import { order } from '../orders/schema.ts';
import { actionInput, driverAction, driverOrderPatch, dutyInput, unableInput } from './schema.ts';

const common = { tag: 'driver', access: { kind: 'driver' }, errors: usualErrors, status: 200 } as const;
const one = '/api/v1/driver/orders/{order}';
const action_id = '2f6c1e0e-6f0a-4d55-9d3c-8f1f5b1d7a10';

const changeDuty = operation({
  ...common, id: 'driver.duty', method: 'POST', path: '/api/v1/driver/duty', summary: 'Begin or end duty',
  description: 'Ending it leaves an order in progress in progress. Nothing but this ends duty.',
  body: dutyInput, answer: driver, example: { body: { online: true, action_id } },
});
const startOrder = operation({
  ...common, id: 'driver.orders.start', method: 'POST', path: `${one}/start`, summary: 'Start the next order',
  description: "The first unfinished stop of the driver's earliest published plan; how early does not matter. The published plan counts, whatever has changed in the draft.",
  body: actionInput, bodyOptional: true, answer: order, example: { body: { action_id: '6a1f6a54-4a49-4a0e-8d0c-7f0b8a0e3c21' } },
});
const completeOrder = operation({
  ...common, id: 'driver.orders.complete', method: 'POST', path: `${one}/complete`, summary: 'Complete the order in progress',
  description: 'Required evidence must be there. The next order becomes `on_road`.',
  body: actionInput, bodyOptional: true, answer: order, example: { body: { action_id: 'b0d5f7ce-41a0-4f5b-9f3e-0c6b1d7a9e55' } },
});
const giveUpOrder = operation({
  ...common, id: 'driver.orders.unable', method: 'POST', path: `${one}/unable-to-complete`, summary: 'Report that the order in progress can not be completed',
  description: 'Administrators find the reason among the actions of the order. The next order becomes `on_road`.',
  body: unableInput, answer: order, example: { body: { reason: 'Nobody opened the gate' } },
});
const editOrder = operation({
  ...common, id: 'driver.orders.update', method: 'PATCH', path: one, summary: 'Write driver-editable custom fields',
  body: driverOrderPatch, precondition: 'If-Match', answer: order, example: { body: { custom_fields: { meter_reading: 4711 } } },
});
const listActions = operation({
  id: 'orders.actions', method: 'GET', path: `${businessPath}/orders/{order}/actions`, tag: 'orders', summary: 'What drivers have done to an order',
  description: 'Started, completed, not able to complete and why, edited: when it happened and when it was received.',
  access: inBusiness('orders.read'), query: listQuery, status: 200, answer: listOf(driverAction), errors: usualErrors,
});

export const executionOperations = [changeDuty, startOrder, completeOrder, giveUpOrder, editOrder, listActions];
