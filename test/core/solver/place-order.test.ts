import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { compile } from '../../../core/solver/compile.ts';
import { numberPlaces, renumber } from '../../../core/solver/place-order.ts';
import { randomMatrix } from '../../support/random-problem.ts';
import { lineMatrix, lineProblem, shiftOf, taskAt } from '../../support/line-problem.ts';

test('every place has a number, and the first one is where the chain begins', () => {
  fc.assert(fc.property(fc.integer({ min: 1, max: 30 }).chain(randomMatrix), (matrix) => {
    const numbers = numberPlaces(matrix);
    expect(numbers[0]).toBe(0);
    expect([...numbers].toSorted((a, b) => a - b)).toEqual([...numbers.keys()]);
    const renumbered = new Int32Array(matrix.size ** 2);
    renumber(matrix.seconds, renumbered, numbers);
    for (let from = 0; from < matrix.size; from++) {
      for (let to = 0; to < matrix.size; to++) expect(renumbered[numbers[from] * matrix.size + numbers[to]]).toBe(matrix.seconds[from * matrix.size + to]);
    }
  }));
});

test('places along a line that are known in any order have numbers along the line', () => {
  const at = [0, 70, 20, 50, 10, 60, 40, 30];
  expect([...numberPlaces(lineMatrix(at))]).toEqual(at.map((x) => x / 10));
});

test('a problem is laid out by these numbers, unless the search is over soon', () => {
  const at = Array.from({ length: 60 }, (_, i) => (i * 37) % 60);
  const placesOf = (tasks: number) => [...compile(lineProblem({
    matrices: [lineMatrix(at)], tasks: Array.from({ length: tasks }, (_, i) => taskAt(i + 1)), shifts: [shiftOf()],
  })).taskPlace];
  expect(placesOf(59)).toEqual(at.slice(1));
  expect(placesOf(30)).toEqual(Array.from({ length: 30 }, (_, i) => i + 1));
});
