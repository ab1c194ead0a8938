/** Instants on the wire are RFC 3339 texts, inside they are epoch milliseconds. */

const RFC_3339 = /^(\d{4}-\d\d-\d\d)[Tt]((?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d)(?:\.(\d+))?([Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/**
 * Epoch milliseconds, or null where the text is not an instant. The offset is required: without it the text means another
 * instant in every zone. Digits below the millisecond are dropped. Leap seconds are refused, for no clock of ours can show them.
 */
export function parseInstant(text: string): number | null {
  const match = RFC_3339.exec(text);
  if (match === null) return null;
  const [, date, clock, fraction = '', offset] = match;
  const ms = instantMs(`${date}T${clock}.${fraction.slice(0, 3).padEnd(3, '0')}${offset.toUpperCase()}`);
  return ms !== null && isWritable(ms) ? ms : null;
}

/** UTC with `Z`: whole seconds without a fraction, anything else with three digits. */
export function formatInstant(ms: number): string {
  const fractionalSecondDigits = ms % 1000 === 0 ? 0 : 3;
  return Temporal.Instant.fromEpochMilliseconds(ms).toString({ fractionalSecondDigits });
}

/** Temporal knows how long a month is: it throws for the 30th of February. */
function instantMs(text: string): number | null {
  try {
    return Temporal.Instant.from(text).epochMilliseconds;
  } catch {
    return null;
  }
}

/** An offset can move a correct text out of the years 0000 to 9999, and then no RFC 3339 text in UTC says the same. */
function isWritable(ms: number): boolean {
  return ms >= YEAR_0000_MS && ms < YEAR_10000_MS;
}

const YEAR_0000_MS = -62_167_219_200_000;
const YEAR_10000_MS = 253_402_300_800_000;
