/**
 * Shifts the slow and obvious way: a list of the minutes of some days with what the clock on the wall shows at each, and for each
 * minute the question whether the vehicle is at work. It knows nothing of Temporal's arithmetic, only the offset of a zone.
 */

import type { Shift } from '../../../core/time/shifts.ts';
import type { WorkingHours } from '../../../core/time/working-hours.ts';

/** Epoch minutes. `shown[i]` is what the clock shows at minute `first + i`, itself as epoch minutes of a clock in UTC. */
export interface WallClock {
  first: number;
  shown: Int32Array;
}

const DAY = 1440;

/** Zones change their offset at quarters of an hour, so that it is looked up only there. */
export function wallClockOf(zone: string, first: number, length: number): WallClock {
  const shown = new Int32Array(length);
  let offset = 0;
  for (let i = 0; i < length; i++) {
    if (i === 0 || (first + i) % 15 === 0) offset = Temporal.Instant.fromEpochMilliseconds((first + i) * 60_000).toZonedDateTimeISO(zone).offsetNanoseconds / 60e9;
    shown[i] = first + i + offset;
  }
  return { first, shown };
}

/** The first minute that shows a time; where none does, it is as much later than the minute before the jump as the clock would say. */
function instantOf(clock: WallClock, time: number): number {
  for (let i = 0; i + 1 < clock.shown.length; i++) {
    if (clock.shown[i] === time) return clock.first + i;
    if (clock.shown[i] < time && time < clock.shown[i + 1]) return clock.first + i + time - clock.shown[i];
  }
  throw new Error('the list of minutes is too short for this time');
}

interface Work {
  day: number;
  isOverride: boolean;
  intervals: { start: number; end: number }[];
}

/** `days` are counted from 1970-01-01, ascending. The shifts of the last two are not right, for nothing is known of what cuts them. */
export function modelShifts(hours: WorkingHours, clock: WallClock, days: number[]): Shift[] {
  const works = days.map((day) => workOf(hours, clock, day)).reverse();
  const shifts = new Map<number, { startMs: number; endMs: number }[]>();
  for (let i = 0; i < clock.shown.length; i++) {
    const minute = clock.first + i;
    const owner = works.find((work) => hasBegun(work, minute, clock.shown[i]));
    if (!owner?.intervals.some(({ start, end }) => start <= minute && minute < end)) continue;
    const intervals = shifts.get(owner.day) ?? [];
    shifts.set(owner.day, intervals);
    const last = intervals.at(-1);
    if (last?.endMs === minute * 60_000) last.endMs += 60_000;
    else intervals.push({ startMs: minute * 60_000, endMs: (minute + 1) * 60_000 });
  }
  return [...shifts].sort(([a], [b]) => a - b).map(([day, intervals]) => ({ date: dateOf(day), intervals }));
}

/** The latest date that has begun owns the minute: an override begins with its date, other dates with their first work. */
function hasBegun(work: Work, minute: number, shown: number): boolean {
  return (work.isOverride && shown >= work.day * DAY) || work.intervals.some(({ start }) => start <= minute);
}

function workOf(hours: WorkingHours, clock: WallClock, day: number): Work {
  const override = hours.overrides[dateOf(day)];
  // 1 January 1970 was a Thursday, weekday 3.
  const texts = override ?? hours.weekly[(day + 3) % 7] ?? [];
  const intervals = texts.map(({ start, end }) => {
    const [startMinute, endMinute] = [start, end].map((text) => Number(text.split(':')[0]) * 60 + Number(text.split(':')[1]));
    const endDay = endMinute > startMinute ? day : day + 1;
    return { start: instantOf(clock, day * DAY + startMinute), end: instantOf(clock, endDay * DAY + endMinute) };
  });
  return { day, isOverride: override !== undefined, intervals: intervals.filter(({ start, end }) => start < end) };
}

export function dateOf(day: number): string {
  return new Date(day * DAY * 60_000).toISOString().slice(0, 10);
}
