/**
 * All samples lie in the week of Monday, 2 March 2026, Europe/Berlin, four weeks before the clocks change. Inside the generator
 * times are seconds since that Monday's midnight.
 */
export const HOUR = 3600;
export const MINUTE = 60;
export const DAY = 86_400;

export function at(day: number, clock: string): number {
  const [hours, minutes] = clock.split(':').map(Number) as [number, number];
  return day * DAY + hours * HOUR + minutes * MINUTE;
}

/** RFC 3339 with the offset of the zone in that week. */
export function instant(seconds: number): string {
  const inDay = seconds % DAY;
  const clock = [inDay / HOUR, (inDay % HOUR) / MINUTE, inDay % MINUTE].map((n) => String(Math.floor(n)).padStart(2, '0')).join(':');
  return `${date(Math.floor(seconds / DAY))}T${clock}+01:00`;
}

export function date(day: number): string {
  return `2026-03-${String(2 + day).padStart(2, '0')}`;
}
