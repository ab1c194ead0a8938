import { expect, test } from '@jest/globals';
import { sparkLine } from '../../cli/spark-line.ts';

test('the highest value is a full bar and the lowest an empty one', () => {
  expect(sparkLine([70, 35, 0], 10)).toBe('█▅▁');
});

test('values that do not change make a flat line', () => {
  expect(sparkLine([5, 5], 10)).toBe('▁▁');
});

test('of more values than columns the last of each share is shown, the very last always', () => {
  expect(sparkLine([9, 8, 7, 6, 5, 4, 3, 2], 2)).toBe('█▁');
});
