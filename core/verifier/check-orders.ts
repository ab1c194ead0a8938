import type { VerifyInput } from './plan-under-check.ts';
import { reportInto } from './report.ts';
import type { Violation } from './violation.ts';

/** Every order has at most one stop over all plans, and those that must be served have one. */
export function checkOrders({ plans, mustServe = [] }: VerifyInput, violations: Violation[]): void {
  const planOf = new Map<string, string>();
  for (const plan of plans) {
    for (const { orderId } of plan.stops) {
      if (orderId === null) continue;
      const other = planOf.get(orderId);
      if (other === undefined) planOf.set(orderId, plan.planId);
      else reportInto(violations, plan)('order_twice', orderId, `${orderId} is served twice: in plan ${other} and in plan ${plan.planId}`);
    }
  }
  for (const orderId of mustServe) {
    if (!planOf.has(orderId)) violations.push({ code: 'order_dropped', planId: '', orderId, message: `${orderId} was planned or locked, but no plan serves it any more` });
  }
}
