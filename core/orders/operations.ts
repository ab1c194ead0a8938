import { crudOperations } from '../contract/crud.ts';
import { bodyLimits, businessPath, inBusiness, operation, usualErrors } from '../contract/operation.ts';
import { idSchema, instantSchema, viewQuery } from '../contract/schemas.ts';
import { order, orderBatch, orderBatchInput, orderInput, orderPatch, orderStatuses } from './schema.ts';

const example = {
  type: 'task', location: { latitude: 52.52, longitude: 13.405 }, duration_seconds: 900,
  window_start: '2026-03-02T09:00:00+01:00', window_end: '2026-03-02T12:00:00+01:00',
};

const createOrders = operation({
  id: 'orders.batch', method: 'POST', path: `${businessPath}/orders/batch`, tag: 'orders', summary: 'Create up to 1000 orders, all or none',
  access: inBusiness('orders.write'), body: orderBatchInput, bodyLimit: bodyLimits.bulk, status: 201, answer: orderBatch, errors: usualErrors,
  example: { body: { items: [example] } },
});

export const orderOperations = [
  ...crudOperations({
    plural: 'orders', singular: 'order', read: 'orders.read', write: 'orders.write',
    record: order, input: orderInput, patch: orderPatch, example,
    query: {
      ...viewQuery,
      status: { type: 'string', enum: orderStatuses },
      vehicle_id: idSchema,
      from: { ...instantSchema, description: 'Orders whose window ends after this.' },
      to: { ...instantSchema, description: 'Orders whose window starts before this.' },
    },
  }),
  createOrders,
];
