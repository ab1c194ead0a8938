/**
 * Solves every instance in Solomon's format in a folder and prints one JSON line for each:
 *
 *     npm run --silent bench:solver -- --instances DIR --seconds 10 --threads 2 [--only R108,C101] [--seed 1]
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { closeSolver, solve } from '../../core/solver/solve.ts';
import { timePlan } from '../../core/solver/timing-plan.ts';
import { readSolomon } from '../support/solomon.ts';

const { values: options } = parseArgs({
  options: {
    instances: { type: 'string' }, seconds: { type: 'string', default: '10' }, threads: { type: 'string', default: '2' },
    seed: { type: 'string', default: '1' }, only: { type: 'string' },
  },
});
if (options.instances === undefined) throw new Error('--instances DIR names the folder with the instances.');

for (const file of readdirSync(options.instances).filter((name) => name.endsWith('.txt')).toSorted()) {
  if (options.only !== undefined && !options.only.split(',').includes(file.replace('.txt', ''))) continue;
  const { name, problem } = readSolomon(readFileSync(join(options.instances, file), 'utf8'));
  const started = performance.now();
  const { solution } = await solve(problem, {
    seed: Number(options.seed), timeLimitMs: 1000 * Number(options.seconds), threads: Number(options.threads),
  });
  const seconds = (performance.now() - started) / 1000;
  // Walked again from the instance: what the solver says of itself is not what is printed.
  const timings = timePlan(problem, solution.routes);
  const tenths = timings?.reduce((sum, timing) => sum + timing.seconds, 0) ?? 0;
  console.log(JSON.stringify({
    instance: name,
    customers: problem.tasks.length,
    distance: tenths / 10,
    vehicles: solution.routes.filter((route) => route.length > 0).length,
    seconds: Math.round(seconds * 100) / 100,
    feasible: timings !== null && solution.unserved.length === 0,
  }));
}
await closeSolver();
