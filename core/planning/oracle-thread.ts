import { explainLeftovers } from '../oracle/explain-unserved.ts';
import type { Explanation } from '../oracle/explanation.ts';
import { insertLeftovers } from '../oracle/insert-leftovers.ts';
import type { Interval, Problem, Solution } from '../solver/problem.ts';

export interface OracleTask {
  problem: Problem;
  solution: Solution;
  horizon: Interval[];
  /** By task: the shifts that could serve it if nobody had chosen a vehicle or a driver for it. */
  selectable: Record<number, number[]>;
  notBefore: number;
}

export interface OracleAnswer {
  solution: Solution;
  explanations: [task: number, Explanation][];
}

/** Runs in a thread: inserts what still fits and says of everything else why it does not. */
export function consultOracle({ problem, solution, horizon, selectable, notBefore }: OracleTask): OracleAnswer {
  const filled = insertLeftovers(problem, solution);
  const explanations = explainLeftovers(problem, filled, { horizon, notBefore, selectable: (task) => selectable[task] ?? problem.tasks[task].shifts ?? problem.shifts.map((_shift, index) => index) });
  return { solution: filled, explanations: [...explanations] };
}
