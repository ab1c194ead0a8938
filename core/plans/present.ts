import { instantOrNull, presentCommon } from '../records/present.ts';
import type { Plan } from './entity.ts';

/** A plan as it was computed, or (published) as drivers see it: the last published snapshot takes the place of the draft. */
export function presentPlan(plan: Plan, view: 'planning' | 'published' = 'planning') {
  const snapshot = view === 'published' ? plan.published : null;
  return {
    ...presentCommon(plan),
    vehicle_id: plan.vehicleId,
    driver_id: snapshot ? snapshot.driver_id : (plan.driverId ?? null),
    date: plan.shiftDate,
    state: plan.state,
    start_at: snapshot ? snapshot.start_at : instantOrNull(plan.startAt),
    end_at: snapshot ? snapshot.end_at : instantOrNull(plan.endAt),
    stops: snapshot ? snapshot.stops : plan.stops,
    return_leg: snapshot ? snapshot.return_leg : (plan.returnLeg ?? null),
    warnings: plan.warnings,
    unplanned_order_ids: plan.unplannedOrderIds,
    published: plan.published ?? null,
    received_at: instantOrNull(plan.receivedAt),
    job_id: plan.jobId ?? null,
  };
}
