/** Instants and lengths of time as a dispatcher reads them. */

/** `2026-03-03 09:12:00Z`; milliseconds only where there are any. */
export function instant(ms: number): string {
  return new Date(ms).toISOString().replace('T', ' ').replace('.000Z', 'Z');
}

/** `12 min`, `1 h 5 min`, `45 s`, `1 min 0.25 s`; the sign is left to the sentence around it. */
export function lapse(ms: number): string {
  const size = Math.abs(ms);
  const hours = Math.floor(size / 3_600_000);
  const minutes = Math.floor((size % 3_600_000) / 60_000);
  const seconds = (size % 60_000) / 1000;
  const parts = [];
  if (hours > 0) parts.push(`${hours} h`);
  if (minutes > 0) parts.push(`${minutes} min`);
  if (seconds > 0 || parts.length === 0) parts.push(`${seconds} s`);
  return parts.join(' ');
}

/** `12 min early` or `12 min late`. */
export function offBy(actualMs: number, expectedMs: number): string {
  return `${lapse(actualMs - expectedMs)} ${actualMs < expectedMs ? 'early' : 'late'}`;
}
