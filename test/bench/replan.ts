/**
 * What an administrator waits for while a plan stands already, one JSON line each:
 *
 *     npm run --silent bench:replan -- [--orders 1000] [--vehicles 60] [--days 5] [--seconds 30] [--free 20] [--times 5] [--threads 2] [--seed 1]
 *
 * First a plan is made, in so many seconds. Then `one_order`: everything planned is pinned and one order is new. And `locked_but_N`: all
 * stops keep their minute and their vehicle, except N of them. Both are solved so many times with other orders; the milliseconds are
 * those of the whole `solve`. `one_order_anew` is the first question once more, in threads that have to be started. A plan that is worse than
 * before is an error.
 */
import { parseArgs } from 'node:util';
import { compareValues, valueOf } from '../../core/solver/objective.ts';
import type { Problem, Solution, Task } from '../../core/solver/problem.ts';
import { createRandom } from '../../core/solver/random.ts';
import { closeSolver, solve } from '../../core/solver/solve.ts';
import { timePlan } from '../../core/solver/timing-plan.ts';
import { dispatchProblem } from '../support/dispatch-problem.ts';

const { values: options } = parseArgs({
  options: {
    orders: { type: 'string', default: '1000' }, vehicles: { type: 'string', default: '60' }, days: { type: 'string', default: '5' }, seconds: { type: 'string', default: '30' },
    free: { type: 'string', default: '20' }, times: { type: 'string', default: '5' }, threads: { type: 'string', default: '2' }, seed: { type: 'string', default: '1' },
  },
});
const [orders, vehicles, days, seconds, free, times, threads, seed] = [options.orders, options.vehicles, options.days, options.seconds, options.free, options.times, options.threads, options.seed].map(Number);
const random = createRandom(seed);
const problem = dispatchProblem({ orders: orders + times, vehicles, days, seed });
const news = problem.tasks.flatMap(({ shifts, kind }, task) => (shifts === null && kind === 'task' ? [task] : [])).slice(-times);
const withoutNews = { ...problem, tasks: problem.tasks.map((task, i) => (news.includes(i) ? { ...task, shifts: [] } : task)) };
const { solution: plan } = await solve(withoutNews, { seed, threads, timeLimitMs: 1_000 * seconds });
const shiftOf = new Map(plan.routes.flatMap((route, shift) => route.map((task) => [task, shift])));

const oneOrders = news.map((order) => again((task, i) => {
  if (shiftOf.has(i)) return { ...task, shifts: [shiftOf.get(i)!], mandatory: true, pinned: true };
  return i === order ? task : { ...task, shifts: [] };
}));
await measure('one_order', oneOrders);
await closeSolver();
await measure('one_order_anew', oneOrders.slice(0, 1));
const startOf = new Map(timePlan(problem, plan.routes)!.flatMap(({ visits }) => visits.map(({ task, start }) => [task, start])));
await measure(`locked_but_${free}`, Array.from({ length: times }, () => {
  const open = new Set(Array.from({ length: free }, () => [...shiftOf.keys()][random.below(shiftOf.size)]));
  return again((task, i) => {
    if (!shiftOf.has(i)) return news.includes(i) ? { ...task, shifts: [] } : task;
    if (open.has(i)) return { ...task, mandatory: true, pinned: false };
    return { ...task, windowStart: startOf.get(i)!, windowEnd: startOf.get(i)! + task.duration, shifts: shiftsOfVehicle(shiftOf.get(i)!), mandatory: true, pinned: false };
  });
}));
await closeSolver();

function again(change: (task: Task, index: number) => Task): Problem {
  return { ...problem, tasks: problem.tasks.map(change), shifts: problem.shifts.map((shift, i) => ({ ...shift, sequence: plan.routes[i] })) };
}

function shiftsOfVehicle(shift: number): number[] {
  return [...problem.shifts.keys()].filter((other) => problem.shifts[other].vehicle === problem.shifts[shift].vehicle);
}

async function measure(what: string, problems: Problem[]): Promise<void> {
  const milliseconds: number[] = [];
  const gains = { served: 0, travel_seconds: 0 };
  for (const next of problems) {
    const startedMs = performance.now();
    const { solution } = await solve(next, { seed, threads });
    milliseconds.push(Math.round(performance.now() - startedMs));
    const before = { routes: plan.routes, unserved: plan.unserved } satisfies Solution;
    if (compareValues(valueOf(next, solution)!, valueOf(next, before)!) > 0) throw new Error('the plan is worse than before');
    gains.served += plan.unserved.length - solution.unserved.length;
    gains.travel_seconds += travelOf(next, solution) - travelOf(next, before);
  }
  console.log(JSON.stringify({ what, tasks: problem.tasks.length, planned: shiftOf.size, milliseconds, more: gains, peak_memory_mb: Math.round(process.resourceUsage().maxRSS / 1_024) }));
}

function travelOf(of: Problem, { routes }: Solution): number {
  return timePlan(of, routes)!.reduce((sum, timing) => sum + timing.seconds, 0);
}
