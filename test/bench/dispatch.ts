/**
 * Dispatch problems with every feature at once, against the solver's own long run, one JSON line each:
 *
 *     npm run --silent bench:dispatch -- [--seconds 60] [--long 600] [--threads 2] [--seed 1] [--only 200,1000,5000] [--trucks]
 *
 * `gap_percent` compares travel where both runs serve the same number.
 */
import { parseArgs } from 'node:util';
import type { Problem } from '../../core/solver/problem.ts';
import { closeSolver, solve } from '../../core/solver/solve.ts';
import { timePlan } from '../../core/solver/timing-plan.ts';
import { dispatchProblem } from '../support/dispatch-problem.ts';

const { values: options } = parseArgs({
  options: { seconds: { type: 'string', default: '60' }, long: { type: 'string', default: '600' }, threads: { type: 'string', default: '2' }, seed: { type: 'string', default: '1' }, only: { type: 'string' }, trucks: { type: 'boolean', default: false } },
});
const sizes = [{ orders: 200, days: 1, vehicles: 10 }, { orders: 1_000, days: 5, vehicles: 60 }, { orders: 5_000, days: 5, vehicles: 250 }];

for (const size of sizes) {
  if (options.only !== undefined && !options.only.split(',').includes(String(size.orders))) continue;
  const problem = dispatchProblem({ ...size, seed: Number(options.seed), hasTrucks: options.trucks });
  const short = await run(problem, Number(options.seconds));
  const long = Number(options.long) > 0 ? await run(problem, Number(options.long)) : null;
  console.log(JSON.stringify({
    ...size, shifts: problem.shifts.length, breaks: problem.tasks.length - size.orders, ...short,
    ...(long && { long_served: long.served, long_travel_seconds: long.travel_seconds, gap_percent: long.served === short.served ? Math.round(10_000 * (short.travel_seconds / long.travel_seconds - 1)) / 100 : null }),
    peak_memory_mb: Math.round(process.resourceUsage().maxRSS / 1024),
  }));
}
await closeSolver();

async function run(problem: Problem, seconds: number) {
  const started = performance.now();
  const before = process.cpuUsage();
  const { solution, iterations } = await solve(problem, { seed: Number(options.seed), timeLimitMs: 1_000 * seconds, threads: Number(options.threads) });
  const { user, system } = process.cpuUsage(before);
  const timings = timePlan(problem, solution.routes);
  if (timings === null) throw new Error('the plan is not feasible');
  return {
    served: problem.tasks.length - solution.unserved.length,
    travel_seconds: timings.reduce((sum, timing) => sum + timing.seconds, 0),
    seconds: Math.round((performance.now() - started) / 10) / 100,
    iterations,
    iterations_per_cpu_second: Math.round(1e6 * iterations / (user + system)),
  };
}
