/**
 * Calendar dates of a business as texts, `2026-03-29`. A day is not 24 hours: clocks go forward and back, and in some zones they do
 * so at midnight. So steps from date to date are steps in the calendar, and only `startOfDay` makes an instant of one.
 */

export function isLocalDate(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  try {
    Temporal.PlainDate.from(text);
    return true;
  } catch {
    return false;
  }
}

/** The date that the calendar on the wall shows at an instant. */
export function localDateOf(ms: number, zone: string): string {
  return Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone).toPlainDate().toString();
}

/** The first instant of a date: usually midnight, and where the clock skips midnight the first time that it shows. */
export function startOfDay(date: string, zone: string): number {
  return Temporal.PlainDate.from(date).toZonedDateTime(zone).epochMilliseconds;
}

export function addDays(date: string, days: number): string {
  return Temporal.PlainDate.from(date).add({ days }).toString();
}

/** How many dates `end` lies after `start`; negative where it lies before. */
export function daysUntil(start: string, end: string): number {
  return Temporal.PlainDate.from(start).until(end).days;
}

/** 0 = Monday … 6 = Sunday, as in working hours. */
export function weekdayOf(date: string): number {
  return Temporal.PlainDate.from(date).dayOfWeek - 1;
}

/** Both ends included; empty where `end` lies before `start`. */
export function datesBetween(start: string, end: string): string[] {
  const first = Temporal.PlainDate.from(start);
  const length = Math.max(0, daysUntil(start, end) + 1);
  return Array.from({ length }, (_, days) => first.add({ days }).toString());
}
