/** Quantities as people read them. */

export function durationText(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  if (seconds > 0 && seconds < 60) return `${Math.round(seconds)} s`;
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')}`;
}

export const distanceText = (meters: number): string => `${(meters / 1000).toFixed(1)} km`;

/** Thousands stand apart by a thin gap that never breaks the line. */
export const countText = (value: number): string => String(value).replaceAll(/\B(?=(\d{3})+$)/g, '\u202f');

/** `3.9 MB`: of 1000 kB each, as downloads are counted. */
export function sizeText(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
  const rank = bytes < 1_000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  return `${rank === 0 ? bytes : (bytes / 1_000 ** rank).toFixed(1)} ${units[rank]}`;
}

/** The clock on the wall of a zone. Of another day than the given one, the day is told too. */
export function clockText(instant: string, zone: string, date?: string): string {
  const local = Temporal.Instant.from(instant).toZonedDateTimeISO(zone);
  const clock = local.toPlainTime().toString({ smallestUnit: 'minute' });
  const days = date === undefined ? 0 : Temporal.PlainDate.from(date).until(local.toPlainDate()).total('days');
  return days === 0 ? clock : `${clock}${days > 0 ? '+' : ''}${days}`;
}
