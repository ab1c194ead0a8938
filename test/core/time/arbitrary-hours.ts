import fc from 'fast-check';
import type { ClockInterval } from '../../../core/time/clock-intervals.ts';
import type { WorkingHours } from '../../../core/time/working-hours.ts';
import { workingHoursProblems } from '../../../core/time/working-hours-problems.ts';

interface Range {
  /** Where overrides may be. */
  dates: string[];
  /** The clock times that are of interest: three in four are taken from here. */
  clocks: string[];
  intervalsMax?: number;
}

/** Working hours whose keys and clock times are correct; they may overlap. */
export function arbitraryHours({ dates, clocks, intervalsMax = 3 }: Range): fc.Arbitrary<WorkingHours> {
  const anyClock = fc.integer({ min: 0, max: 1439 }).map(clockOf);
  const clock = fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...clocks) }, { weight: 1, arbitrary: anyClock });
  const end = fc.oneof({ weight: 9, arbitrary: clock }, { weight: 1, arbitrary: fc.constant('24:00') });
  const intervals = fc.array(fc.record<ClockInterval>({ start: clock, end }), { maxLength: intervalsMax });
  const days = (keys: string[]) => fc.tuple(...keys.map(() => fc.option(intervals))).map((values) =>
    Object.fromEntries(keys.flatMap((key, i) => (values[i] === null ? [] : [[key, values[i]]]))));
  const overrides = fc.subarray(dates).chain(days);
  return fc.record({ weekly: days(['0', '1', '2', '3', '4', '5', '6']), overrides });
}

/** The same without the intervals that the rules complain about, one after the other. */
export function withoutOverlaps(hours: WorkingHours): WorkingHours {
  for (;;) {
    const [problem] = workingHoursProblems(hours);
    if (problem === undefined) return hours;
    const [, part, key, index] = problem.path.split('/') as ['', 'weekly' | 'overrides', string, string];
    hours = { ...hours, [part]: { ...hours[part], [key]: hours[part][key].toSpliced(Number(index), 1) } };
  }
}

export function clockOf(minute: number): string {
  const ofDay = ((minute % 1440) + 1440) % 1440;
  return `${String(Math.floor(ofDay / 60)).padStart(2, '0')}:${String(ofDay % 60).padStart(2, '0')}`;
}
