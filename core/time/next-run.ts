import type { Cron } from './cron.ts';

/**
 * The first instant after `afterMs` at which a schedule is due. Each matching local time counts once: where the clock skips it, at the
 * first instant after the gap; where the clock shows it twice, at the first of the two. Local times in their order are then due in
 * their order, so the search begins with what the clock shows now. Null where nothing is due within `yearsMax`.
 */
export function nextRun(cron: Cron, zone: string, afterMs: number): number | null {
  let date = Temporal.Instant.fromEpochMilliseconds(afterMs).toZonedDateTimeISO(zone).toPlainDate();
  const last = date.add({ years: yearsMax });
  while (Temporal.PlainDate.compare(date, last) <= 0) {
    if (!cron.months.has(date.month)) {
      date = date.with({ day: 1 }).add({ months: 1 });
      continue;
    }
    if (isDayOf(cron, date)) {
      const due = firstOn(date, cron, { zone, afterMs });
      if (due !== null) return due;
    }
    date = date.add({ days: 1 });
  }
  return null;
}

/** The 29th of February is eight years away at the most. */
const yearsMax = 9;

function isDayOf({ daysOfMonth, daysOfWeek }: Cron, date: Temporal.PlainDate): boolean {
  const inMonth = daysOfMonth?.has(date.day);
  const inWeek = daysOfWeek?.has(date.dayOfWeek % 7);
  // Where both are given, either may match; where one is left open, the other decides.
  return inMonth === undefined || inWeek === undefined ? (inMonth ?? inWeek ?? true) : inMonth || inWeek;
}

function firstOn(date: Temporal.PlainDate, { hours, minutes }: Cron, { zone, afterMs }: { zone: string; afterMs: number }): number | null {
  // The last time of the day tells whether the others are worth a look.
  if (instantOf(date, hours[hours.length - 1], minutes[minutes.length - 1], zone) <= afterMs) return null;
  for (const hour of hours) {
    if (instantOf(date, hour, minutes[minutes.length - 1], zone) <= afterMs) continue;
    for (const minute of minutes) {
      const due = instantOf(date, hour, minute, zone);
      if (due > afterMs) return due;
    }
  }
  return null;
}

/** The first time that the clock shows this, or where it never does the first instant after it was put forward. */
function instantOf(date: Temporal.PlainDate, hour: number, minute: number, zone: string): number {
  const local = date.toPlainDateTime({ hour, minute });
  const shown = local.toZonedDateTime(zone, { disambiguation: 'earlier' });
  if (shown.toPlainDateTime().equals(local)) return shown.epochMilliseconds;
  // In a gap the earlier reading lies before it.
  return shown.getTimeZoneTransition('next')!.epochMilliseconds;
}
