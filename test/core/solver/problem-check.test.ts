import { expect, test } from '@jest/globals';
import type { Problem } from '../../../core/solver/problem.ts';
import { checkProblem } from '../../../core/solver/problem-check.ts';
import { lineMatrix, lineProblem, shiftOf, taskAt } from '../../support/line-problem.ts';

const sound = (): Problem => lineProblem({ tasks: [taskAt(1), taskAt(2)], shifts: [shiftOf({ sequence: [0] })] });

test('a sound problem passes', () => {
  expect(() => checkProblem(sound())).not.toThrow();
});

test.each<[string, (problem: Problem) => void]>([
  ['there is a matrix', (problem) => { problem.matrices = []; }],
  ['matrices[0].seconds has', (problem) => { problem.matrices = [{ ...lineMatrix([0, 1]), size: 3 }]; }],
  ['matrices[1].size is that', (problem) => { problem.matrices.push(lineMatrix([0, 1])); }],
  ['shifts[0].matrix', (problem) => { problem.shifts[0].matrix = 1; }],
  ['tasks[1].place', (problem) => { problem.tasks[1].place = 6; }],
  ['tasks[0].duration', (problem) => { problem.tasks[0].duration = 0; }],
  ['tasks[0] has a window', (problem) => { problem.tasks[0].windowEnd = 0.5; }],
  ['tasks[0].shifts', (problem) => { problem.tasks[0].shifts = [1]; }],
  ['tasks[0] hands over', (problem) => { problem.tasks[0].handoverTo = 2; }],
  ['tasks[0].demand', (problem) => { problem.tasks[0].demand = -1; }],
  ['shifts[0].warehouse', (problem) => { problem.shifts[0].warehouse = -1; }],
  ['shifts[0].driver', (problem) => { problem.shifts[0].driver = -2; }],
  ['shifts[0] has an interval', (problem) => { problem.shifts[0].intervals = []; }],
  ['shifts[0].intervals are ascending', (problem) => { problem.shifts[0].intervals = [{ start: 5, end: 9 }, { start: 8, end: 10 }]; }],
  ['shifts[0].sequence', (problem) => { problem.shifts[0].sequence = [2]; }],
  ['task 0 is in one sequence only', (problem) => { problem.shifts[0].sequence = [0, 0]; }],
  ['fixedSpans[0] starts before', (problem) => { problem.fixedSpans = [{ driver: 0, start: 3, end: 2 }]; }],
  ['restSeconds', (problem) => { problem.restSeconds = -1; }],
])('%s: what contradicts itself is named', (claim, spoil) => {
  const problem = sound();
  spoil(problem);
  expect(() => checkProblem(problem)).toThrow(claim);
});
