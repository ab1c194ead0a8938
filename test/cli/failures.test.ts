import { expect, test } from '@jest/globals';
import { exitCodeMeanings, exitCodes } from '../../cli/exit-codes.ts';
import { exitCodeOf, ServiceError, wrongUsage } from '../../cli/failures.ts';
import { reportFailure } from '../../cli/report-failure.ts';

test.each([[400, 2], [401, 7], [403, 7], [404, 5], [405, 2], [409, 6], [412, 6], [413, 2], [415, 2], [422, 2], [429, 8], [500, 1], [502, 1], [503, 8], [302, 1]])('status %d ends with %d', (status, code) => {
  expect(exitCodeOf(new ServiceError(status, 'm'))).toBe(code);
});

test('every exit code has its meaning', () => {
  expect(Object.keys(exitCodeMeanings).map(Number).toSorted()).toEqual(Object.values(exitCodes).toSorted());
});

test('a fault of the service is told with the id that finds it in the log', () => {
  expect(reportFailure(new ServiceError(500, 'something went wrong', { requestId: 'r-1' }))).toBe('milkrun: something went wrong\n  request id r-1\n');
});

test('wrong usage is a line and a hint, a bug of ours its whole story', () => {
  expect(reportFailure(wrongUsage('no', 'yes'))).toBe('milkrun: no\nnext: yes\n');
  expect(exitCodeOf(new TypeError('x'))).toBe(1);
  expect(reportFailure(new TypeError('x is undefined'))).toContain('failures.test.ts');
});
