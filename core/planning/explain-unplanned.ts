import type { RoadNetwork } from '../networks/road-network.ts';
import { whyUnreachable, type Goal } from '../networks/why-unreachable.ts';
import type { Explanation, Fix } from '../oracle/explanation.ts';
import type { Solution } from '../solver/problem.ts';
import type { PlanningProblem } from './build-problem.ts';
import { consultOracle } from './consult-oracle.ts';

/** Why an order is not planned, as the job's result shows it. */
export interface Unplanned {
  order_id: string;
  reason: Explanation['reason'];
  proved: boolean;
  detail: string;
  fix: { kind: Fix['kind']; seconds: number; vehicle_id: string; date: string } | null;
}

/** Completes the solution with what still fits, and explains the rest. Of places that nobody reaches the network knows why. */
export async function explainUnplanned(planning: PlanningProblem, solution: Solution, { notBeforeMs, network }: { notBeforeMs: number; network: RoadNetwork }): Promise<{ solution: Solution; unplanned: Unplanned[] }> {
  const { problem, orders, horizon, originMs } = planning;
  const selectable = Object.fromEntries(problem.tasks.flatMap((task, index) => (task.kind === 'task' && task.shifts !== null && !task.mandatory ? [[index, problem.shifts.map((_shift, shift) => shift)]] : [])));
  const answer = await consultOracle({ problem, solution, horizon, selectable, notBefore: Math.floor((notBeforeMs - originMs) / 1_000) });
  // What the roads know is better than that no road leads there.
  const nowhere = answer.explanations.flatMap(([task, { reason }]) => (reason === 'unreachable' ? [task] : []));
  const why = new Map((await whyUnreachable(network, nowhere.map((task) => goalOf(planning, task)))).map((words, nth) => [nowhere[nth], words]));
  const unplanned = answer.explanations.map(([task, explanation]) => inWords(planning, orders[task].id, { ...explanation, detail: why.get(task) ?? explanation.detail }));
  const outside = planning.outside.map((order): Unplanned => ({ order_id: order.id, reason: 'window_outside_dates', proved: true, detail: 'its window lies outside of the dates that were planned', fix: null }));
  return { solution: answer.solution, unplanned: [...unplanned, ...outside] };
}

/** The order's place, and each vehicle that may serve it. */
function goalOf({ problem, orders, shifts }: PlanningProblem, task: number): Goal {
  const allowed = problem.tasks[task].shifts ?? [...shifts.keys()];
  const vehicles = new Map(allowed.map((shift) => [shifts[shift].facts.vehicle.id, shifts[shift].facts]));
  return { location: orders[task].location, visitors: [...vehicles.values()].map(({ vehicle, warehouse }) => ({ vehicle, home: warehouse.location })) };
}

function inWords({ shifts, problem }: PlanningProblem, orderId: string, { reason, proved, detail, fix, costlier, extraTravel }: Explanation): Unplanned {
  const cost = costlier && extraTravel !== null ? ` (${extraTravel} ${problem.metric === 'metres' ? 'm' : 's'} more)` : '';
  if (fix === null) return { order_id: orderId, reason, proved, detail: detail + cost, fix: null };
  const { vehicle, date } = shifts[fix.shift].facts;
  return {
    order_id: orderId, reason, proved,
    detail: `${detail}${cost}; fits ${vehicle.name} on ${dayAndMonth(date)} ${fixWords[fix.kind](lapse(fix.seconds))}`,
    fix: { kind: fix.kind, seconds: fix.seconds, vehicle_id: vehicle.id, date },
  };
}

const fixWords: Record<Fix['kind'], (span: string) => string> = {
  other_vehicle: () => 'if any vehicle may serve it',
  window_end_later: (span) => `if the window ends ${span} later`,
  window_start_earlier: (span) => `if the window starts ${span} earlier`,
  hours_end_later: (span) => `if the vehicle works ${span} longer`,
  hours_start_earlier: (span) => `if the vehicle starts ${span} earlier`,
};

function lapse(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h${minutes % 60 ? ` ${minutes % 60} min` : ''}`;
}

const dayAndMonth = (date: string): string => Temporal.PlainDate.from(date).toLocaleString('en-GB', { day: 'numeric', month: 'long' });
