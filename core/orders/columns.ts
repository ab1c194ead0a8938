import { pick } from '../records/fields.ts';
import type { Body } from '../records/kind.ts';
import { parseInstant } from '../time/instants.ts';
import type { Order } from './entity.ts';

const date = (text: unknown): Date => new Date(parseInstant(String(text))!);

/** The columns of the plain fields of a body. Status, schedule and assignment have rules of their own: see `write-orders.ts`. */
export function orderColumns(body: Body): Partial<Order> {
  return {
    ...pick(body, { type: 'type', location: 'location', duration_seconds: 'durationSeconds', replacement_driver_id: 'replacementDriverId' }),
    ...(body.window_start === undefined ? {} : { windowStart: date(body.window_start) }),
    ...(body.window_end === undefined ? {} : { windowEnd: date(body.window_end) }),
  };
}

/** An instant of a body: undefined where absent, null where null. */
export const instantOf = (value: unknown): Date | null | undefined => (value === undefined ? undefined : value === null ? null : date(value));
