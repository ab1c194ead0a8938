/** Intervals of a day as clock times, the shape of the wire, and as minutes, the shape to compute with. */

/** HH:MM each; `end` may be 24:00. An end that is not after the start is on the following date. */
export interface ClockInterval {
  start: string;
  end: string;
}

/** Minutes after midnight of the date on which it begins: an end above `MINUTES_OF_DAY` is on the following date. */
export interface MinuteInterval {
  start: number;
  end: number;
}

/** By the clock, whatever daylight saving makes of the day. */
export const MINUTES_OF_DAY = 24 * 60;

export function isClock(text: string): boolean {
  return /^([01]\d|2[0-3]):[0-5]\d$/.test(text);
}

/** The clock times must be correct. An interval is at most 24 hours by the clock. */
export function minutesOf(interval: ClockInterval): MinuteInterval {
  const start = minuteOf(interval.start);
  const end = minuteOf(interval.end);
  return { start, end: end > start ? end : end + MINUTES_OF_DAY };
}

function minuteOf(clock: string): number {
  return Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3));
}
