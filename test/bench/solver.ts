/**
 * Solves every instance in Solomon's format in a folder and prints one JSON line for each, and a summary on stderr:
 *
 *     npm run --silent bench:solver -- --instances DIR [--seconds 10 | --cpu-seconds 10 | --iterations 1000000] [--threads 2]
 *         [--only R108,C101] [--seeds 1,2,3] [--vehicles 8] [--record]
 *
 * `--cpu-seconds` gives every searching thread that much processor time, so that a busy machine measures what a quiet one would.
 * `--vehicles` takes some away: most served, then least travel. With a `bks.json` of best-known distances in the folder, gaps are
 * printed; the solver never sees them. `--record` writes what this run found there, where it is better: for generated instances (bench:generate).
 */
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Problem } from '../../core/solver/problem.ts';
import { closeSolver, solve } from '../../core/solver/solve.ts';
import { timePlan } from '../../core/solver/timing-plan.ts';
import { readSolomon } from '../support/solomon.ts';

const { values: options } = parseArgs({
  options: {
    instances: { type: 'string' }, seconds: { type: 'string', default: '10' }, 'cpu-seconds': { type: 'string' }, iterations: { type: 'string' },
    threads: { type: 'string', default: '2' }, seeds: { type: 'string', default: '1' }, only: { type: 'string' }, vehicles: { type: 'string' },
    record: { type: 'boolean', default: false },
  },
});
if (options.instances === undefined) throw new Error('--instances DIR names the folder with the instances.');

const folder = options.instances;
const only = options.only?.split(',');
const bestKnown: Record<string, { distance: number }> = existsSync(join(folder, 'bks.json')) ? JSON.parse(readFileSync(join(folder, 'bks.json'), 'utf8')) : {};
const gaps: { customers: number; gap: number }[] = [];

for (const file of readdirSync(folder).filter((name) => name.endsWith('.txt')).toSorted()) {
  if (only !== undefined && !only.includes(file.replace('.txt', ''))) continue;
  for (const seed of options.seeds.split(',').map(Number)) {
    const { name, problem } = readSolomon(readFileSync(join(folder, file), 'utf8'));
    if (options.vehicles !== undefined) problem.shifts.length = Number(options.vehicles);
    const line = await measure(problem, seed);
    const known = options.vehicles === undefined ? bestKnown[name]?.distance : undefined;
    const gap = known === undefined ? null : Math.round(10_000 * (line.distance / known - 1)) / 100;
    if (gap !== null) gaps.push({ customers: line.customers, gap });
    if (options.record && line.feasible && !(line.distance >= (known ?? Infinity))) bestKnown[name] = { distance: line.distance };
    console.log(JSON.stringify({ instance: name, seed, ...line, gap_percent: gap }));
  }
}
await closeSolver();
if (options.record) writeFileSync(join(folder, 'bks.json'), JSON.stringify(bestKnown, null, 1));
if (gaps.length > 0) console.error(summary());

async function measure(problem: Problem, seed: number) {
  const started = performance.now();
  const since = () => Math.round(performance.now() - started) / 1000;
  const before = process.cpuUsage();
  let firstFeasible: number | null = null;
  const { solution, iterations } = await solve(problem, {
    seed, threads: Number(options.threads), ...budget(),
    onProgress: ({ unserved }) => {
      if (unserved === 0) firstFeasible ??= since();
    },
  });
  const seconds = since();
  const cpu = process.cpuUsage(before);
  const cpuSeconds = (cpu.user + cpu.system) / 1e6;
  // Walked again from the instance: what the solver says of itself is not what is printed.
  const timings = timePlan(problem, solution.routes);
  const tenths = timings?.reduce((sum, timing) => sum + timing.seconds, 0) ?? 0;
  return {
    customers: problem.tasks.length,
    distance: tenths / 10,
    served: problem.tasks.length - solution.unserved.length,
    vehicles: solution.routes.filter((route) => route.length > 0).length,
    feasible: timings !== null && solution.unserved.length === 0,
    seconds,
    first_feasible_seconds: firstFeasible,
    iterations,
    iterations_per_cpu_second: Math.round(iterations / cpuSeconds),
    peak_memory_mb: Math.round(process.resourceUsage().maxRSS / 1024),
  };
}

function budget() {
  if (options.iterations !== undefined) return { maxIterations: Number(options.iterations) };
  if (options['cpu-seconds'] !== undefined) return { timeLimitMs: 1000 * Number(options['cpu-seconds']), clock: 'cpu' as const };
  return { timeLimitMs: 1000 * Number(options.seconds) };
}

function summary(): string {
  const mean = (values: number[]) => (values.reduce((sum, value) => sum + value, 0) / values.length).toFixed(3);
  const sizes = [...new Set(gaps.map(({ customers }) => customers))].toSorted((a, b) => a - b);
  return [
    `mean gap %: all ${mean(gaps.map(({ gap }) => gap))}`,
    ...sizes.map((size) => `${size}: ${mean(gaps.filter(({ customers }) => customers === size).map(({ gap }) => gap))}`),
  ].join('   ');
}
