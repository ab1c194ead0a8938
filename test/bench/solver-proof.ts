/**
 * What `npm test` does a little of, at length: moves in constant time against doing them, and plans against all plans.
 *
 *     node test/bench/solver-proof.ts [--moves 1000000] [--problems 2000] [--seed 1]
 *
 * Prints one JSON line for each part and ends with 1 at the first difference.
 */
import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { compile } from '../../core/solver/compile.ts';
import type { Problem } from '../../core/solver/problem.ts';
import { search, solutionOf } from '../../core/solver/search.ts';
import { checkMoves } from '../core/solver/move-checks.ts';
import { bruteForce, compare, objectiveOf } from '../support/brute-force.ts';
import { randomProblem } from '../support/random-problem.ts';

const { values: options } = parseArgs({
  options: { moves: { type: 'string', default: '1000000' }, problems: { type: 'string', default: '2000' }, seed: { type: 'string', default: '1' } },
});
const seed = Number(options.seed);
const STEPS_PER_TASK = 4000;

proveMoves(Number(options.moves));
provePlans(Number(options.problems));

function proveMoves(wanted: number): void {
  let moves = 0;
  let problems = 0;
  for (let batch = 0; moves < wanted; batch++) {
    for (const problem of fc.sample(randomProblem({ tasksMax: 14, shiftsMax: 5, placesMax: 9 }), { numRuns: 100, seed: seed + batch })) {
      moves += checkMoves(problem, seed + problems++, 20);
    }
  }
  console.log(JSON.stringify({ part: 'moves', problems, moves, differences: 0 }));
}

function provePlans(wanted: number): void {
  const counts = { problems: 0, with_handover: 0, with_rest: 0, with_tours: 0, with_pinned: 0, with_sizes: 0, with_unserved: 0 };
  const differences: { problem: number; found: number[] | null; best: number[] }[] = [];
  for (const problem of fc.sample(randomProblem({ tasksMax: 7, shiftsMax: 3 }), { numRuns: wanted, seed })) {
    const best = bruteForce(problem);
    const compiled = compile(problem);
    const result = search(compiled, { seed: 1, budget: { iterations: STEPS_PER_TASK * problem.tasks.length }, clock: () => 0 });
    const found = objectiveOf(problem, solutionOf(compiled, result.best.slots));
    if (found === null || compare(found, best.value) !== 0) differences.push({ problem: counts.problems, found, best: best.value });
    count(counts, problem, best.solution.unserved.length);
  }
  console.log(JSON.stringify({ part: 'plans', ...counts, differences: differences.length }));
  for (const difference of differences) console.log(JSON.stringify(difference));
  if (differences.length > 0) process.exitCode = 1;
}

function count(counts: Record<string, number>, { matrices, tasks, shifts, restSeconds }: Problem, unserved: number): void {
  counts.problems++;
  if (tasks.some(({ handoverTo }) => handoverTo >= 0)) counts.with_handover++;
  if (restSeconds > 0) counts.with_rest++;
  if (shifts.some(({ gap, intervals }) => gap === 'return_to_warehouse' && intervals.length > 1)) counts.with_tours++;
  if (tasks.some(({ pinned }) => pinned)) counts.with_pinned++;
  if (matrices.length > 1) counts.with_sizes++;
  if (unserved > 0) counts.with_unserved++;
}
