import { instantOrNull, presentCommon } from '../records/present.ts';
import type { Order } from './entity.ts';
import { detailsOf, type PublishedDetails } from './published-details.ts';

export type View = 'planning' | 'published';

/** Where the order stands in the planning version or in what drivers see. Live values are the same in both. */
function assignment(order: Order, view: View) {
  if (view === 'published') {
    return { scheduled_at: instantOrNull(order.publishedScheduledAt), vehicle_id: order.publishedVehicleId ?? null, driver_id: order.publishedDriverId ?? null };
  }
  return {
    scheduled_at: instantOrNull(order.scheduledAt),
    vehicle_id: order.vehicleId ?? order.selectedVehicleId ?? null,
    driver_id: order.driverId ?? order.selectedDriverId ?? null,
  };
}

/** Drivers go by what has been published; an order that has not been is shown as it is. */
const shownDetails = (order: Order, view: View): PublishedDetails => (view === 'published' ? order.publishedDetails : null) ?? detailsOf(order);

export const presentOrder = (order: Order, view: View = 'planning') => ({
  ...presentCommon(order),
  type: order.type,
  ...shownDetails(order, view),
  status: order.status,
  pending_status: order.pendingStatus ?? null,
  ...assignment(order, view),
  custom_fields: order.customFields,
  schema_snapshot: order.schemaSnapshot,
  actual_started_at: instantOrNull(order.actualStartedAt),
  actual_completed_at: instantOrNull(order.actualCompletedAt),
});
