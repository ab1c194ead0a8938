import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { compile } from '../../../core/solver/compile.ts';
import { compareValues, valueOf } from '../../../core/solver/objective.ts';
import { NONE, UNREACHABLE } from '../../../core/solver/problem.ts';
import type { Interval, Problem } from '../../../core/solver/problem.ts';
import { search, solutionOf } from '../../../core/solver/search.ts';
import { randomProblem } from '../../support/random-problem.ts';

/** Small problems with a budget that finds the best plan of nearly all of them; the seed is fixed because a search promises none. */
const problems = randomProblem({ tasksMax: 5 });
const asserted = { numRuns: 25, seed: 7 };

function bestValue(problem: Problem): number[] {
  const compiled = compile(problem);
  const { best } = search(compiled, { seed: 1, budget: { iterations: 2000 }, clock: () => 0 });
  return valueOf(problem, solutionOf(compiled, best.slots))!;
}

const scaled = (by: number) => (interval: Interval): Interval => ({ start: by * interval.start, end: by * interval.end });

function withTimeTimes(problem: Problem, by: number): Problem {
  return {
    ...problem,
    matrices: problem.matrices.map((matrix) => ({ ...matrix, seconds: matrix.seconds.map((seconds) => (seconds >= UNREACHABLE ? seconds : by * seconds)) })),
    tasks: problem.tasks.map((task) => ({ ...task, duration: by * task.duration, windowStart: by * task.windowStart, windowEnd: by * task.windowEnd })),
    shifts: problem.shifts.map((shift) => ({ ...shift, intervals: shift.intervals.map(scaled(by)) })),
    fixedSpans: problem.fixedSpans.map((span) => ({ ...span, ...scaled(by)(span) })),
    restSeconds: by * problem.restSeconds,
  };
}

describe('the best plan', () => {
  test('is the same when everything takes three times as long', () => {
    fc.assert(fc.property(problems, (problem) => {
      const value = bestValue(problem);
      const slow = bestValue(withTimeTimes(problem, 3));
      const counts = problem.objective === 'most_served' ? 3 : 2;
      const [travel, other] = problem.metric === 'seconds' ? [3, 1] : [1, 3];
      const expected = problem.objective === 'most_served'
        ? [...value.slice(0, counts), travel * value[3], other * value[4]]
        : [...value.slice(0, counts), travel * value[2], value[3], other * value[4]];
      expect(slow).toEqual(expected);
    }), asserted);
  });

  test('does not depend on the order in which orders are given', () => {
    fc.assert(fc.property(problems, (problem) => {
      const last = problem.tasks.length - 1;
      const shifts = problem.shifts.map((shift) => ({ ...shift, sequence: shift.sequence.map((task) => last - task) }));
      expect(bestValue({ ...problem, tasks: problem.tasks.toReversed(), shifts })).toEqual(bestValue(problem));
    }), asserted);
  });

  test('is the same when vehicles with the same travel have a matrix each', () => {
    fc.assert(fc.property(problems, ({ matrices, ...problem }) => {
      const shifts = problem.shifts.map((shift, i) => ({ ...shift, matrix: i }));
      const each = problem.shifts.map((shift) => matrices[shift.matrix ?? 0]);
      expect(bestValue({ ...problem, matrices: each, shifts })).toEqual(bestValue({ ...problem, matrices }));
    }), asserted);
  });

  test('is no worse with a vehicle more that is of no use', () => {
    fc.assert(fc.property(problems, (problem) => {
      const [like] = problem.shifts;
      const start = like.intervals[0].start;
      const useless = { ...like, driver: NONE, intervals: [{ start, end: start }], sequence: [] };
      expect(bestValue({ ...problem, shifts: [...problem.shifts, useless] })).toEqual(bestValue(problem));
    }), asserted);
  });

  test('is no worse where a window is wider', () => {
    fc.assert(fc.property(problems, fc.nat(), fc.nat({ max: 300 }), fc.nat({ max: 300 }), (problem, nth, earlier, later) => {
      const tasks = problem.tasks.map((task, i) => (i !== nth % problem.tasks.length ? task
        : { ...task, windowStart: task.windowStart - earlier, windowEnd: task.windowEnd + later }));
      expect(compareValues(bestValue({ ...problem, tasks }), bestValue(problem))).toBeLessThanOrEqual(0);
    }), asserted);
  });
});
