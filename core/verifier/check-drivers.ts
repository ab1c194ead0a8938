import type { OrderFacts, PlanUnderCheck, VerifyInput } from './plan-under-check.ts';
import type { Violation } from './violation.ts';
import { instant, lapse } from './words.ts';

/** A stretch of work of one driver: a plan, the part of one up to or after a handover, or work outside the plans. */
interface Span {
  driverId: string;
  startMs: number;
  /** Where work has begun: when it goes on. When its first stops were planned for may be long past, or days ahead. */
  aheadMs: number;
  endMs: number;
  /** Null for work outside the plans. */
  plan: PlanUnderCheck | null;
  what: string;
  isHistory: boolean;
  /** An order in progress keeps others away from its driver; of rest its plan speaks as a whole. */
  isOneOrder: boolean;
}

/** A driver's stretches of work do not overlap, and between two shifts there is rest. Within one shift none is needed. */
export function checkDrivers({ plans, orders, fixedSpans, restSeconds }: VerifyInput, violations: Violation[]): void {
  const spans = [
    ...fixedSpans.map((span): Span => ({ ...span, aheadMs: span.startMs, plan: plans.find(({ planId }) => planId === span.planId) ?? null, isHistory: false, isOneOrder: span.planId !== undefined })),
    ...plans.flatMap((plan) => spansOf(plan, orders)),
  ].sort((a, b) => a.aheadMs - b.aheadMs);
  for (const ofDriver of Map.groupBy(spans, (span) => span.driverId).values()) {
    ofDriver.forEach((later, index) => {
      for (const earlier of ofDriver.slice(0, index)) {
        const violation = between(earlier, later, restSeconds * 1000);
        if (violation) violations.push(violation);
      }
    });
  }
}

function between(earlier: Span, later: Span, restMs: number): Violation | null {
  if (earlier.plan === later.plan) return null;
  if (earlier.isHistory && later.isHistory) return null;
  const planId = (later.plan ?? earlier.plan)!.planId;
  if (later.aheadMs < earlier.endMs && earlier.aheadMs < later.endMs) {
    return { code: 'driver_overlap', planId, orderId: null, message: `driver ${later.driverId} starts ${later.what} at ${instant(later.aheadMs)}, while ${earlier.what} lasts until ${instant(earlier.endMs)}` };
  }
  if (earlier.isOneOrder || later.isOneOrder) return null;
  const rested = Math.max(0, (later.startMs < earlier.endMs ? later.aheadMs : later.startMs) - earlier.endMs);
  if (rested >= restMs) return null;
  return { code: 'rest', planId, orderId: null, message: `driver ${later.driverId} rests ${lapse(rested)} between ${earlier.what} and ${later.what}, but needs ${lapse(restMs)}` };
}

/**
 * Who works when in a plan. At a handover both drivers are there: the one who leaves until the service of the break has ended, the
 * one who takes over from its start.
 */
function spansOf(plan: PlanUnderCheck, orders: Map<string, OrderFacts>): Span[] {
  if (plan.startMs === null || plan.endMs === null) return [];
  const spans: Span[] = [];
  const what = `plan ${plan.planId}`;
  let driverId = plan.driverId;
  let startMs = plan.startMs;
  let aheadMs = startMs;
  let hasBegun = false;
  let isHistory = true;
  for (const stop of plan.stops) {
    const order = stop.orderId === null ? undefined : orders.get(stop.orderId);
    const isLive = order?.live === true;
    hasBegun ||= isLive;
    if (isHistory && hasBegun && stop.orderId !== null && !isLive) aheadMs = Math.max(aheadMs, stop.arrivalMs - stop.travelSeconds * 1000);
    isHistory &&= stop.orderId === null || isLive;
    const replacement = order?.kind === 'break' ? order.replacementDriverId : null;
    if (replacement === null || replacement === driverId) continue;
    if (driverId !== null) spans.push({ driverId, startMs, aheadMs, endMs: stop.endMs, plan, what, isHistory, isOneOrder: false });
    driverId = replacement;
    startMs = aheadMs = stop.startMs;
    isHistory = true;
  }
  if (driverId !== null) spans.push({ driverId, startMs, aheadMs, endMs: plan.endMs, plan, what, isHistory, isOneOrder: false });
  return spans;
}
