import { expect, test } from '@jest/globals';
import { exponential, naturalLog, noise, temperatureAt } from '../../../core/solver/temperature.ts';

test('our logarithm and exponential are those of the textbook', () => {
  for (const x of [1e-9, 0.01, 0.5, 1, 1.5, 2, 10, 12345.678, 1e12]) expect(naturalLog(x)).toBeCloseTo(Math.log(x), 12);
  for (const x of [-20, -1, -0.3, 0, 0.7, 1, 5, 20]) expect(exponential(x) / Math.exp(x)).toBeCloseTo(1, 12);
});

test('the temperature falls from the first to the last by equal factors', () => {
  const range = { first: 100, last: 1 };
  expect([0, 0.5, 1].map((share) => temperatureAt(share, range))).toEqual([100, expect.closeTo(10, 9), expect.closeTo(1, 9)]);
});

test('the noise of the annealing has the mean of an exponential distribution', () => {
  expect(noise.reduce((sum, value) => sum + value, 0) / noise.length).toBeCloseTo(1, 3);
  expect(Math.min(...noise)).toBeGreaterThan(0);
});
