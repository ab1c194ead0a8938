import { checkDrivers } from './check-drivers.ts';
import { checkForm } from './check-form.ts';
import { checkHours } from './check-hours.ts';
import { checkLegs } from './check-legs.ts';
import { checkOrders } from './check-orders.ts';
import { checkStops } from './check-stops.ts';
import type { PlanUnderCheck, VerifyInput } from './plan-under-check.ts';
import { reportInto } from './report.ts';
import type { Violation } from './violation.ts';
import { instant } from './words.ts';

/**
 * Everything that is wrong with the plans; nothing means that they are sound. It computes each claim of a plan anew from the
 * facts, and shares no code with whatever made the plans.
 */
export function verifyPlans(input: VerifyInput): Violation[] {
  const given = [input.restSeconds, ...input.fixedSpans.flatMap((span) => [span.startMs, span.endMs])];
  if (!given.every(Number.isSafeInteger)) throw new TypeError('restSeconds and the fixed spans must be whole numbers');
  const violations: Violation[] = [];
  const wellFormed = input.plans.filter((plan) => checkForm(plan, input.orders, reportInto(violations, plan)));
  for (const plan of wellFormed) {
    const report = reportInto(violations, plan);
    checkStops(plan, input.orders, report);
    checkLegs(plan, input.orders, input.travel, report);
    checkHours(plan, input.orders, report);
  }
  checkOrders(input, violations);
  checkVehicles(input.plans, wellFormed, input.orders, violations);
  checkDrivers({ ...input, plans: wellFormed }, violations);
  return violations;
}

/** A vehicle has one plan for a shift, and is in one at a time. */
function checkVehicles(plans: PlanUnderCheck[], timed: PlanUnderCheck[], orders: VerifyInput['orders'], violations: Violation[]): void {
  const seen = new Set<string>();
  for (const plan of plans) {
    const report = reportInto(violations, plan);
    if (seen.has(`id ${plan.planId}`)) report('plan_twice', null, `plan ${plan.planId} is there twice`);
    const shift = `shift ${plan.date} ${plan.vehicleId}`;
    if (seen.has(shift)) report('plan_twice', null, `vehicle ${plan.vehicleId} has two plans for ${plan.date}`);
    seen.add(`id ${plan.planId}`).add(shift);
  }
  const isHistory = (plan: PlanUnderCheck) => plan.stops.every((stop) => stop.orderId === null || orders.get(stop.orderId)?.live);
  const used = timed.filter((plan) => plan.startMs !== null && plan.endMs !== null).sort((a, b) => a.startMs! - b.startMs!);
  used.forEach((later, index) => {
    for (const earlier of used.slice(0, index)) {
      if (earlier.vehicleId !== later.vehicleId || earlier.endMs! <= later.startMs!) continue;
      // What has been driven can not be changed by refusing a plan.
      if (isHistory(earlier) && isHistory(later)) continue;
      reportInto(violations, later)('vehicle_overlap', null,
        `vehicle ${later.vehicleId} leaves at ${instant(later.startMs!)}, but plan ${earlier.planId} keeps it until ${instant(earlier.endMs!)}`);
    }
  });
}
