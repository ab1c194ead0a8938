import { reader, transaction } from '../../core/db/store.ts';
import type { Order } from '../../core/orders/entity.ts';
import { presentOrder, type View } from '../../core/orders/present.ts';
import { listOrders, type OrderQuery } from '../../core/orders/read-orders.ts';
import { createOrder, createOrders, deleteOrder, getOrder, updateOrder } from '../../core/orders/write-orders.ts';
import { scheduleByHand } from '../../core/planning/schedule-by-hand.ts';
import type { Body } from '../../core/records/kind.ts';
import type { RecordStatus } from '../../core/records/read-records.ts';
import type { Call, Handler, Handlers } from '../call.ts';
import { intentOf } from '../routes.ts';
import { created } from './records.ts';

type Context = Parameters<typeof createOrder>[0];

/** One transaction with all that writing orders needs. */
const write = <T>(call: Call, work: (context: Context) => Promise<T>): Promise<T> =>
  transaction(call.service.store, call.businessId, (em) => work({ em, businessId: call.businessId, schedule: scheduleByHand }));

const update: Handler = async (call) => ({ body: presentOrder(await write<Order>(call, (context) => updateOrder(context, call.params.record_id, call.body, intentOf(call)))) });

export const orderHandlers: Handlers = {
  'orders.list': async ({ service, businessId, query }) => {
    const { records, nextCursor } = await listOrders(reader(service.store, businessId), businessId, query as OrderQuery);
    return { body: { items: records.map((order) => presentOrder(order, query.view as View)), next_cursor: nextCursor } };
  },
  'orders.create': async (call) => {
    const order = await write(call, (context) => createOrder(context, call.body));
    return created(call, 'orders', presentOrder(order), order.id);
  },
  'orders.batch': async (call) => {
    const orders = await write(call, (context) => createOrders(context, call.body.items as Body[]));
    return { body: { items: orders.map((order) => presentOrder(order)) }, headers: { Location: `/api/v1/businesses/${call.businessId}/orders` } };
  },
  'orders.get': async ({ service, businessId, params, query }) => ({
    body: presentOrder(await getOrder(reader(service.store, businessId), params.record_id, query.record_status as RecordStatus), query.view as View),
  }),
  'orders.update': update,
  'orders.replace': update,
  'orders.delete': async (call) => {
    await write(call, (context) => deleteOrder(context, call.params.record_id, intentOf(call)));
    return {};
  },
};
