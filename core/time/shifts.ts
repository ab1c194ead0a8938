import { minutesOf } from './clock-intervals.ts';
import type { MinuteInterval } from './clock-intervals.ts';
import { addDays, datesBetween, localDateOf, startOfDay } from './local-dates.ts';
import { intervalsOn } from './working-hours.ts';
import type { WorkingHours } from './working-hours.ts';

/** Half-open, in epoch milliseconds. */
export interface WorkInterval {
  startMs: number;
  endMs: number;
}

/** The working intervals that begin on one local date: at least one, ascending, none touching another. */
export interface Shift {
  date: string;
  intervals: WorkInterval[];
}

/**
 * The shifts that begin from `dateStart` to `dateEnd`, both included, ascending. Each is the same whatever the range that it was
 * asked for in, and no two of them overlap.
 *
 * Clock times become instants by Temporal's `compatible` rule: a time that the clock skips is as much later as the clock jumped, and
 * of a time that it shows twice the first is meant. So where the clock jumps, an interval may end after one that begins later on the
 * clock (02:30 becomes 03:30 and overtakes 03:00). Within a shift these are merged; between shifts the later date has precedence.
 */
export function shiftsOf(hours: WorkingHours, zone: string, dateStart: string, dateEnd: string): Shift[] {
  const days = datesBetween(dateStart, addDays(dateEnd, LATER_DATES)).map((date) => readDay(hours, zone, date));
  const shifts: Shift[] = [];
  for (let i = 0; i + LATER_DATES < days.length; i++) {
    const untilMs = Math.min(...days.slice(i + 1, i + 1 + LATER_DATES).map((day) => day.claimedFromMs));
    const intervals = merge(cut(days[i].intervals, untilMs));
    if (intervals.length > 0) shifts.push({ date: days[i].date, intervals });
  }
  return shifts;
}

/** An interval ends within 24 hours by the clock, which is the next date, or the one after it where the clock then skips midnight. */
const LATER_DATES = 2;

interface Day {
  date: string;
  /** Ascending by start; they may still overlap and run into later dates. */
  intervals: WorkInterval[];
  /** No earlier shift goes on from here: an override claims its whole date, any other date what follows its first interval. */
  claimedFromMs: number;
}

function readDay(hours: WorkingHours, zone: string, date: string): Day {
  const startMs = startOfDay(date, zone);
  // Samoa had no 30 December 2011: nothing begins on a date that the zone skips.
  const exists = localDateOf(startMs, zone) === date;
  const intervals = exists ? intervalsOn(hours, date).map((interval) => instantsOf(minutesOf(interval), zone, date)) : [];
  const worked = intervals.filter((interval) => interval.startMs < interval.endMs).sort((a, b) => a.startMs - b.startMs);
  const isOverride = Object.hasOwn(hours.overrides, date);
  return { date, intervals: worked, claimedFromMs: isOverride ? startMs : worked[0]?.startMs ?? Infinity };
}

function instantsOf(interval: MinuteInterval, zone: string, date: string): WorkInterval {
  const midnight = Temporal.PlainDate.from(date).toPlainDateTime();
  const instant = (minutes: number) => midnight.add({ minutes }).toZonedDateTime(zone, { disambiguation: 'compatible' }).epochMilliseconds;
  return { startMs: instant(interval.start), endMs: instant(interval.end) };
}

function cut(intervals: WorkInterval[], untilMs: number): WorkInterval[] {
  return intervals
    .filter((interval) => interval.startMs < untilMs)
    .map(({ startMs, endMs }) => ({ startMs, endMs: Math.min(endMs, untilMs) }));
}

/** Joins what touches or overlaps; the intervals ascend by start. */
function merge(intervals: WorkInterval[]): WorkInterval[] {
  const merged: WorkInterval[] = [];
  for (const { startMs, endMs } of intervals) {
    const last = merged.at(-1);
    if (last !== undefined && startMs <= last.endMs) last.endMs = Math.max(last.endMs, endMs);
    else merged.push({ startMs, endMs });
  }
  return merged;
}
