import type { Interval } from './problem.ts';

/** What `fit` answers where nothing fits: later than every time of a problem. */
export const NEVER = 0x7fffffff;

/** The earliest start >= `from` of something that takes `seconds` and lies completely inside one interval; `NEVER` if there is none. */
export function fit(intervals: Interval[], from: number, seconds: number): number {
  for (const interval of intervals) {
    const start = Math.max(from, interval.start);
    if (start + seconds <= interval.end) return start;
  }
  return NEVER;
}

/** The latest start of something that takes `seconds`, ends by `until` and lies completely inside one interval; `-NEVER` if there is none. */
export function fitBack(intervals: Interval[], until: number, seconds: number): number {
  for (let i = intervals.length - 1; i >= 0; i--) {
    const start = Math.min(until, intervals[i].end) - seconds;
    if (start >= intervals[i].start) return start;
  }
  return -NEVER;
}

/** A leg of no length is no travel: it may be "driven" at any moment, in a gap too. */
export function leave(intervals: Interval[], from: number, seconds: number): number {
  return seconds === 0 ? from : fit(intervals, from, seconds);
}

export function leaveBack(intervals: Interval[], until: number, seconds: number): number {
  return seconds === 0 ? until : fitBack(intervals, until, seconds);
}
