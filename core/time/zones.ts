/**
 * Whether this is the name of an IANA time zone, links such as `US/Pacific` included. Offsets such as `+02:00` are no zones: they
 * know no daylight saving. Letter case counts, because it does for many clients that read the name back.
 */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Z]/.test(name)) return false;
  try {
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name).timeZoneId === name;
  } catch {
    return false;
  }
}
