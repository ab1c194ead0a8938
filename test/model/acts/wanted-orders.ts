import fc from 'fast-check';
import type { OrderStatus } from '../../../core/orders/schema.ts';
import { instantAt, wholeSeason } from '../calendar.ts';
import type { Model, Wire } from '../state.ts';

/** What orders may say: few values of each kind, so that they meet. */

export const orderIds = Array.from({ length: 10 }, (_, index) => `o${index}`);
export const minutes = [5, -12, 20, 33];
export const durations = [600, 300, 1_800, 5_400];
export const statuses: OrderStatus[] = ['cancelled', 'created', 'completed', 'in_progress', 'on_road', 'unable_to_complete'];
/** The last three are wrong or clear something. */
export const customs: Wire[] = [{ note: 'ring twice' }, { code: 'A1', margin: 7 }, { margin: 12.5 }, { note: null }, { margin: 'much' }, { ghost: 1 }];

interface Window {
  windowStartMs: number;
  windowEndMs: number;
}

const hourMs = 3_600_000;

/** Days, nights across the change of the clock, and a window that fits like a glove. */
const windowKinds: ((model: Model, day: number) => Window)[] = [
  ({ season }) => wholeSeason(season),
  ({ season }, day) => ({ windowStartMs: instantAt(season, day, '08:00'), windowEndMs: instantAt(season, day, '17:00') }),
  ({ season }, day) => ({ windowStartMs: instantAt(season, day, '17:00'), windowEndMs: instantAt(season, day, '22:00') }),
  ({ season }, day) => ({ windowStartMs: instantAt(season, day, '22:00'), windowEndMs: instantAt(season, day, '22:00') + 8 * hourMs }),
  ({ season }, day) => ({ windowStartMs: instantAt(season, day, '10:30'), windowEndMs: instantAt(season, day, '10:40') }),
];

export interface WantedWindow {
  kind: number;
  day: number;
}
export const windows: fc.Arbitrary<WantedWindow> = fc.record({ kind: fc.nat(windowKinds.length - 1), day: fc.nat(2) });
export const windowOf = (model: Model, { kind, day }: WantedWindow): Window => windowKinds[kind](model, day);

/** Absent but once in so many times. */
export const seldom = <T>(times: number, value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: times - 1, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value });
