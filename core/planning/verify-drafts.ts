import type { TravelTable } from '../networks/travel-table.ts';
import type { PlanDraft } from './assemble-plans.ts';
import type { PlanningProblem } from './build-problem.ts';
import { isHeld, lockedStart, replacementIn, type PlanningFacts, type PlanningRequest } from './facts.ts';
import type { Violation } from '../verifier/violation.ts';
import { planName, verifyRecords, type PlansToVerify } from './verify-records.ts';

interface Run {
  facts: PlanningFacts;
  request: PlanningRequest;
  planning: PlanningProblem;
  table: TravelTable;
}

/**
 * Nobody sees a plan that the verifier objects to: that would be a bug of ours, never the client's fault. What an administrator has
 * fixed by hand against the rules of an order is kept, though; it is said in the warnings of the draft that holds it.
 */
export function verifyDrafts(drafts: PlanDraft[], run: Run): void {
  const { facts, planning, table } = run;
  const held = new Set(drafts.flatMap(({ stops }) => stops.flatMap((stop) => stop.order_id ?? [])));
  const input: PlansToVerify = {
    plans: drafts.map((draft) => ({ ...draft.shift, plan: draft })),
    orders: new Map([...planning.orders, ...facts.planned.values()].filter((order) => held.has(order.id)).map((order) => [order.id, order])),
    otherPlans: [...facts.otherPlans, ...planning.frozen.flatMap((shift) => (shift.plan ? [shift.plan] : []))],
    inProgress: planning.shifts.flatMap(({ start: { driverId, busyUntilMs } }, index) =>
      (driverId === null || busyUntilMs === null ? [] : [{ driverId, startMs: facts.asOfMs, endMs: busyUntilMs, what: `an order of ${nameOf(drafts[index])}`, planId: nameOf(drafts[index]) }])),
    restSeconds: facts.business.planning.min_rest_seconds ?? 0,
    replacementOf: replacementIn(facts.planned),
    table,
  };
  const begun = new Set(planning.shifts.flatMap(({ start }, index) => (start.behind.length > 0 ? [nameOf(drafts[index])] : [])));
  // Of a shift that has nothing left nothing was decided: what follows it too soon is said in a warning.
  const isSpent = (index: number): boolean => planning.shifts[index].start.behind.length > 0 && planning.shifts[index].start.behind.length === drafts[index].stops.length;
  const decided = input.plans.filter((_plan, index) => !isSpent(index));
  const violations = verifyRecords({ ...input, plans: decided, ...locksOf(drafts, run) }).filter(({ code, planId }) => !(begunTooEarly.has(code) && begun.has(planId)));
  if (violations.length > 0) throw new Error(`the verifier refuses what was planned: ${violations.slice(0, 5).map(({ code, message }) => `${code}: ${message}`).join('; ')}`);
  const warnings = Map.groupBy(verifyRecords(input), (violation) => violation.planId);
  for (const draft of drafts) draft.warnings = (warnings.get(nameOf(draft)) ?? []).map((violation) => violation.message);
}

const nameOf = ({ shift }: PlanDraft): string => planName(shift.vehicle.id, shift.date);

/** What is wrong with when a shift began can not be put right once it has begun. */
const begunTooEarly: ReadonlySet<Violation['code']> = new Set(['rest', 'driver_overlap', 'vehicle_overlap'] as const);

/** What the locks of the run hold beyond what the orders say, or in spite of it. */
function locksOf(drafts: PlanDraft[], { facts, request, planning }: Run): Pick<PlansToVerify, 'locks' | 'mustServe'> {
  const present = new Map(planning.shifts.flatMap(({ facts: shift, start }) => start.ahead.map((stop) => [stop.order_id!, { shift, stop }] as const)));
  const drafted = new Map(drafts.flatMap((draft) => draft.stops.flatMap((stop) => (stop.order_id === undefined ? [] : [[stop.order_id, draft.shift] as const]))));
  return {
    locks(order) {
      const at = present.get(order.id);
      if (at === undefined) return {};
      const stays = drafted.get(order.id) === at.shift;
      const startMs = lockedStart(order, request);
      return {
        // Where the present plan disagrees with what was chosen for the order, the plan has its way.
        ...(stays && order.type === 'task' ? { vehicleId: null } : {}),
        ...(stays ? { lockedDriverId: null } : {}),
        ...(startMs === null ? {} : { lockedStartMs: startMs, windowStartMs: startMs, windowEndMs: startMs + order.durationSeconds * 1_000 }),
        ...(request.assignment_lock || !request.include_planned ? { lockedVehicleId: at.shift.vehicle.id } : {}),
        ...(request.assignment_lock ? { lockedDriverId: at.stop.driver_id ?? null } : {}),
      };
    },
    mustServe: [...present.keys()].filter((id) => isHeld(facts.planned.get(id)!, request)),
  };
}
