import { isClock, MINUTES_OF_DAY, minutesOf } from './clock-intervals.ts';
import type { ClockInterval, MinuteInterval } from './clock-intervals.ts';
import { addDays, isLocalDate, weekdayOf } from './local-dates.ts';
import type { WorkingHours } from './working-hours.ts';

/** Where (a JSON pointer into the working hours) and which rule is broken. */
export interface WorkingHoursProblem {
  path: string;
  message: string;
}

/** Far above any real day; it bounds what one vehicle costs the planner. */
export const INTERVALS_PER_DAY_MAX = 24;

/** Ten years of single dates. */
export const OVERRIDES_MAX = 3_660;

/**
 * All that is wrong with working hours whose shape (objects, arrays, strings) is known to be right. Intervals may touch, but no
 * moment may be worked twice: within a date, or where a night runs into the date that follows it. A weekly night that runs into an
 * override is no overlap, because the override replaces it. An override's night that runs into the next override is one: both were
 * written for these very dates, so they contradict each other.
 */
export function workingHoursProblems(hours: WorkingHours): WorkingHoursProblem[] {
  const problems: WorkingHoursProblem[] = [];
  const weekly = readDays(hours.weekly, '/weekly', weekdayProblem, problems);
  const overrides = isTooMany(hours.overrides, problems) ? new Map<string, Day>() : readDays(hours.overrides, '/overrides', dateProblem, problems);

  for (const [weekday, day] of weekly) {
    const following = (Number(weekday) + 1) % 7;
    problems.push(...overlaps(day), ...nightOverlaps(day, weekly.get(String(following)), weekdayNames[following]));
  }
  for (const [date, day] of overrides) {
    const following = addDays(date, 1);
    const followingDay = overrides.get(following) ?? weekly.get(String(weekdayOf(following)));
    problems.push(...overlaps(day), ...nightOverlaps(day, followingDay, following));
  }
  return problems;
}

/** The intervals of one weekday or date whose clock times are correct, by their start. */
type Day = Entry[];

interface Entry extends MinuteInterval {
  path: string;
  text: string;
}

/** Reads what can be read, so that one wrong clock time does not hide an overlap elsewhere. */
function readDays(
  days: Record<string, ClockInterval[]>, path: string, keyProblem: (key: string) => string | null, problems: WorkingHoursProblem[],
): Map<string, Day> {
  const read = new Map<string, Day>();
  for (const [key, intervals] of Object.entries(days)) {
    const dayPath = `${path}/${pointerToken(key)}`;
    const message = keyProblem(key);
    if (message !== null) problems.push({ path: dayPath, message });
    else read.set(key, readDay(intervals, dayPath, problems));
  }
  return read;
}

function readDay(intervals: ClockInterval[], path: string, problems: WorkingHoursProblem[]): Day {
  if (intervals.length > INTERVALS_PER_DAY_MAX) {
    problems.push({ path, message: `has ${intervals.length} intervals; at most ${INTERVALS_PER_DAY_MAX} are allowed` });
    return [];
  }
  const day: Day = [];
  intervals.forEach((interval, index) => {
    const found = clockProblems(interval, `${path}/${index}`);
    problems.push(...found);
    if (found.length === 0) day.push({ ...minutesOf(interval), path: `${path}/${index}`, text: `${interval.start}–${interval.end}` });
  });
  return day.sort((a, b) => a.start - b.start);
}

function clockProblems({ start, end }: ClockInterval, path: string): WorkingHoursProblem[] {
  const problems: WorkingHoursProblem[] = [];
  if (!isClock(start)) problems.push({ path: `${path}/start`, message: `must be a clock time HH:MM from 00:00 to 23:59, not ${quoted(start)}` });
  if (!isClock(end) && end !== '24:00') problems.push({ path: `${path}/end`, message: `must be a clock time HH:MM from 00:00 to 24:00, not ${quoted(end)}` });
  return problems;
}

/** Each interval that begins before all earlier ones have ended is named once. */
function overlaps(day: Day): WorkingHoursProblem[] {
  const problems: WorkingHoursProblem[] = [];
  let last: Entry | undefined;
  for (const entry of day) {
    if (last !== undefined && entry.start < last.end) {
      problems.push({ path: entry.path, message: `${entry.text} overlaps ${last.text} (${last.path})` });
    }
    if (last === undefined || entry.end > last.end) last = entry;
  }
  return problems;
}

/** Each night that runs on into work of the following date is named once. */
function nightOverlaps(day: Day, following: Day | undefined, followingName: string): WorkingHoursProblem[] {
  const first = following?.[0];
  if (first === undefined) return [];
  return day
    .filter((night) => night.end > first.start + MINUTES_OF_DAY)
    .map((night) => ({ path: `${night.path}/end`, message: `${night.text} runs past midnight into ${first.text} of ${followingName} (${first.path})` }));
}

function isTooMany(overrides: WorkingHours['overrides'], problems: WorkingHoursProblem[]): boolean {
  const count = Object.keys(overrides).length;
  if (count <= OVERRIDES_MAX) return false;
  problems.push({ path: '/overrides', message: `has ${count} dates; at most ${OVERRIDES_MAX} are allowed` });
  return true;
}

const weekdayNames = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

function weekdayProblem(key: string): string | null {
  return /^[0-6]$/.test(key) ? null : `${quoted(key)} is no weekday; they are 0 (Monday) to 6 (Sunday)`;
}

function dateProblem(key: string): string | null {
  return isLocalDate(key) ? null : `${quoted(key)} is no calendar date YYYY-MM-DD`;
}

/** What a client sent, short enough for a message. */
function quoted(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
}

/** RFC 6901: `~` and `/` are escaped within a token. */
function pointerToken(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}
