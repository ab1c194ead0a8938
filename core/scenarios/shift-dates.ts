import { addDays, daysUntil, isLocalDate, localDateOf } from '../time/local-dates.ts';
import { formatInstant, parseInstant } from '../time/instants.ts';
import type { ScenarioSamples } from './entity.ts';
import type { SampleRecord } from './schema.ts';

type Overrides = Record<string, unknown>;
const overridesOf = (vehicle: SampleRecord): Overrides => ((vehicle.working_hours as { overrides?: Overrides } | undefined)?.overrides ?? {});

const instantFields = ['window_start', 'window_end', 'scheduled_at'] as const;

/** The earliest and the latest local date that the windows of the orders touch. */
export function datesOf(orders: SampleRecord[], zone: string): { start: string | null; end: string | null } {
  let [start, end]: (string | null)[] = [null, null];
  for (const order of orders) {
    const [from, to] = [parseInstant(String(order.window_start)), parseInstant(String(order.window_end))];
    if (from === null || to === null) continue;
    const [first, last] = [localDateOf(from, zone), localDateOf(to - 1, zone)];
    if (start === null || first < start) start = first;
    if (end === null || last > end) end = last;
  }
  return { start, end };
}

/** All dates of the samples moved by whole days of the business's calendar, so that the earliest falls on `anchorDate`. */
export function shiftDates(samples: ScenarioSamples, anchorDate: string, zone: string): ScenarioSamples {
  const overrideDates = samples.vehicles.flatMap((vehicle) => Object.keys(overridesOf(vehicle)).filter(isLocalDate));
  const first = [datesOf(samples.orders, zone).start, ...overrideDates].filter((date): date is string => date !== null).sort()[0];
  if (first === undefined) return samples;
  const days = daysUntil(first, anchorDate);
  return { ...samples, orders: samples.orders.map((order) => shiftOrder(order, days, zone)), vehicles: samples.vehicles.map((vehicle) => shiftVehicle(vehicle, days)) };
}

function shiftOrder(order: SampleRecord, days: number, zone: string): SampleRecord {
  const shifted = { ...order };
  for (const field of instantFields) {
    const atMs = typeof order[field] === 'string' ? parseInstant(order[field]) : null;
    if (atMs !== null) shifted[field] = formatInstant(Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO(zone).add({ days }).epochMilliseconds);
  }
  return shifted;
}

function shiftVehicle(vehicle: SampleRecord, days: number): SampleRecord {
  const overrides = Object.fromEntries(Object.entries(overridesOf(vehicle)).map(([date, intervals]) => [isLocalDate(date) ? addDays(date, days) : date, intervals]));
  return vehicle.working_hours ? { ...vehicle, working_hours: { ...(vehicle.working_hours as object), overrides } } : vehicle;
}
