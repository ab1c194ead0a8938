/** When a vehicle works, in the shape of the wire: clock times in the time zone of its business. */

import type { ClockInterval } from './clock-intervals.ts';
import { weekdayOf } from './local-dates.ts';

/** Where a vehicle is between two intervals of a shift. */
export const gapPolicies = ['return_to_warehouse', 'wait'] as const;
export type GapPolicy = (typeof gapPolicies)[number];

export interface WorkingHours {
  /** By weekday, "0" = Monday to "6" = Sunday; no work on a weekday that is absent. */
  weekly: Record<string, ClockInterval[]>;
  /** By date. Replaces all of that date, what the night before carries over into it included. */
  overrides: Record<string, ClockInterval[]>;
  gap_policy?: GapPolicy;
}

export function gapPolicyOf(hours: WorkingHours): GapPolicy {
  return hours.gap_policy ?? 'return_to_warehouse';
}

/** The intervals that begin on a date, before any night is cut short by the date that follows. */
export function intervalsOn(hours: WorkingHours, date: string): ClockInterval[] {
  return hours.overrides[date] ?? hours.weekly[weekdayOf(date)] ?? [];
}
