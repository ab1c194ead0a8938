import type { PlanUnderCheck } from './plan-under-check.ts';
import type { Violation, ViolationCode } from './violation.ts';

/** Notes a violation of one plan; the order is the one concerned, or null. */
export type Report = (code: ViolationCode, orderId: string | null, message: string) => void;

export const reportInto = (violations: Violation[], plan: PlanUnderCheck): Report =>
  (code, orderId, message) => { violations.push({ code, planId: plan.planId, orderId, message }); };
