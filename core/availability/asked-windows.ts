import { invalid, throwIfAny } from '../contract/errors.ts';
import { formatInstant, parseInstant } from '../time/instants.ts';
import { addDays, datesBetween, daysUntil, localDateOf } from '../time/local-dates.ts';
import { datesMax, windowsMax, type AvailabilityInput } from './schema.ts';

/** A window to be judged. The texts go back to the client as they came. */
export interface AskedWindow {
  start: string;
  end: string;
  startMs: number;
  endMs: number;
  /** Not wholly between start and end of the query. */
  isOutside: boolean;
}

/** The windows that a query is about: the candidates as they are, or windows of duration and gap laid end to end. */
export function askedWindows(input: AvailabilityInput, zone: string): AskedWindow[] {
  const range = { startMs: parseInstant(input.start)!, endMs: parseInstant(input.end)! };
  if (range.endMs <= range.startMs) throw invalid('/end', 'must be after start');
  const windows = input.candidate_windows ? candidates(input.candidate_windows, range) : discovered(input, range);
  const inside = windows.filter(({ isOutside }) => !isOutside);
  if (inside.length > 0) {
    const [first, last] = [Math.min(...inside.map(({ startMs }) => startMs)), Math.max(...inside.map(({ endMs }) => endMs))];
    const dates = daysUntil(localDateOf(first, zone), localDateOf(last, zone)) + 1;
    if (dates > datesMax) throw invalid('/end', `makes ${dates} dates; a query is answered for ${datesMax} at most`);
  }
  return windows;
}

interface Range {
  startMs: number;
  endMs: number;
}

function candidates(given: NonNullable<AvailabilityInput['candidate_windows']>, range: Range): AskedWindow[] {
  const windows = given.map(({ start, end }) => ({ start, end, startMs: parseInstant(start)!, endMs: parseInstant(end)! }));
  throwIfAny(windows.flatMap(({ startMs, endMs }, index) => (endMs <= startMs ? [{ path: `/candidate_windows/${index}/end`, message: 'must be after start' }] : [])));
  return windows.map((window) => ({ ...window, isOutside: window.startMs < range.startMs || window.endMs > range.endMs }));
}

/** A last window that would end after the range is left out. */
function discovered({ duration_seconds: duration, gap_seconds: gap }: AvailabilityInput, { startMs, endMs }: Range): AskedWindow[] {
  if (gap === undefined) throw invalid('/gap_seconds', 'is required without candidate_windows');
  const lengthMs = (duration + gap) * 1_000;
  const count = Math.floor((endMs - startMs) / lengthMs);
  if (count > windowsMax) throw invalid('/end', `makes ${count} windows of ${duration + gap} s; a query is answered for ${windowsMax} at most`);
  return Array.from({ length: count }, (_, index) => {
    const window = { startMs: startMs + index * lengthMs, endMs: startMs + (index + 1) * lengthMs };
    return { ...window, start: formatInstant(window.startMs), end: formatInstant(window.endMs), isOutside: false };
  });
}

/** The dates on which a shift that overlaps one of the windows may begin: a night may have begun two dates before. */
export function datesOf(windows: readonly Pick<AskedWindow, 'startMs' | 'endMs'>[], zone: string): string[] {
  const spans = windows.map(({ startMs, endMs }) => ({ first: addDays(localDateOf(startMs, zone), -2), last: localDateOf(endMs, zone) }));
  if (spans.length === 0) return [];
  const first = spans.reduce((least, span) => (span.first < least ? span.first : least), spans[0].first);
  const last = spans.reduce((most, span) => (span.last > most ? span.last : most), spans[0].last);
  return datesBetween(first, last).filter((date) => spans.some((span) => span.first <= date && date <= span.last));
}
