import type { EntityManager } from '../db/store.ts';
import { listRecords, type Page } from '../records/read-records.ts';
import { parseInstant } from '../time/instants.ts';
import type { Order } from './entity.ts';
import type { OrderStatus } from './schema.ts';
import { orderKind } from './write-orders.ts';

export interface OrderQuery extends Record<string, unknown> {
  view?: 'planning' | 'published';
  status?: OrderStatus;
  vehicle_id?: string;
  from?: string;
  to?: string;
}

/** `from` and `to` keep the orders whose window overlaps that time. */
export function listOrders(em: EntityManager, businessId: string, query: OrderQuery): Promise<Page<Order>> {
  const filter: object[] = [];
  if (query.status) filter.push({ status: query.status });
  if (query.vehicle_id) filter.push(onVehicle(query.vehicle_id, query.view));
  if (query.from) filter.push({ windowEnd: { $gt: new Date(parseInstant(query.from)!) } });
  if (query.to) filter.push({ windowStart: { $lt: new Date(parseInstant(query.to)!) } });
  return listRecords<Order>(em, orderKind, businessId, query, filter);
}

/** The vehicle that is shown: in the planning view the assigned one, or the selected one while none is assigned. */
const onVehicle = (vehicleId: string, view: OrderQuery['view']): object =>
  view === 'published' ? { publishedVehicleId: vehicleId } : { $or: [{ vehicleId }, { vehicleId: null, selectedVehicleId: vehicleId }] };
