import { describe, expect, test } from '@jest/globals';
import { parseCron, type Cron } from '../../../core/time/cron.ts';

const parsed = (expression: string): Cron => {
  const cron = parseCron(expression);
  if ('problem' in cron) throw new Error(cron.problem);
  return cron;
};
const problem = (expression: string): string | undefined => (parseCron(expression) as { problem?: string }).problem;

describe('an expression', () => {
  test('has lists, ranges, steps and names', () => {
    expect(parsed('*/20 8-18/5,22 1,15 jan-mar MON-FRI')).toEqual({
      minutes: [0, 20, 40], hours: [8, 13, 18, 22], daysOfMonth: new Set([1, 15]), months: new Set([1, 2, 3]), daysOfWeek: new Set([1, 2, 3, 4, 5]),
    });
  });

  test('knows Sunday by two numbers', () => {
    for (const sunday of ['0', '7', 'sun', 'SUN']) expect(parsed(`0 3 * * ${sunday}`).daysOfWeek).toEqual(new Set([0]));
    expect(parsed('0 3 * * 5-7').daysOfWeek).toEqual(new Set([5, 6, 0]));
  });

  test('leaves a day open with a star only', () => {
    expect(parsed('0 3 * * */1')).toMatchObject({ daysOfMonth: null, daysOfWeek: null });
    expect(parsed('0 3 */2 * 0-6')).toMatchObject({ daysOfMonth: new Set([1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31]), daysOfWeek: new Set([0, 1, 2, 3, 4, 5, 6]) });
  });

  test.each(['@weekly', '0 3 * *', '0 0 3 * * 0'])('of other than five fields is none: %s', (expression) => {
    expect(problem(expression)).toMatch(/exactly five fields/);
  });

  test.each([['60 * * * *', '"60" as minute'], ['* * * * 8', '"8" as day of week'], ['H 3 * * 0', '"H" as minute'], ['0 3 ? * 0', '"?" as day of month'], ['5-1 * * * *', '"5-1" as minute'], ['1,,2 * * * *', '"" as minute'], ['1/5 * * * *', '"1/5" as minute'], ['*/0 * * * *', '"*/0" as minute']])('that is wrong is told where: %s', (expression, where) => {
    expect(problem(expression)).toContain(where);
  });

  test('that names days of no month is none, unless a weekday may match instead', () => {
    expect(problem('0 0 30 2 *')).toBe('names a day that no month has');
    expect(problem('0 0 31 2,4,6,9,11 *')).toBeDefined();
    expect([problem('0 0 29 2 *'), problem('0 0 30 2 mon'), problem('0 0 31 4,5 *')]).toEqual([undefined, undefined, undefined]);
  });
});
