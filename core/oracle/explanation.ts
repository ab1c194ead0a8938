import type { Interval } from '../solver/problem.ts';

/** Why an order is not planned: the reasons of the interface. */
export const reasons = [
  'window_outside_dates', 'outside_working_hours', 'unreachable', 'no_eligible_vehicle', 'window_too_tight', 'capacity', 'locked_conflict',
] as const;
export type Reason = (typeof reasons)[number];

/** In the order in which equally small changes are preferred. */
export const fixKinds = ['other_vehicle', 'window_end_later', 'window_start_earlier', 'hours_end_later', 'hours_start_earlier'] as const;
export type FixKind = (typeof fixKinds)[number];

/** One change after which the order fits into `shift` beside everything that the plan serves. */
export interface Fix {
  kind: FixKind;
  /** How much later or earlier; 0 for another vehicle. */
  seconds: number;
  shift: number;
}

export interface Explanation {
  reason: Reason;
  /** Nothing that the search could have done would have served it. False: it found no place, and the reason is what is in the way. */
  proved: boolean;
  /** One clause for people, without names: "no vehicle that may serve it works within its window". */
  detail: string;
  /** The cheapest change that was found and tried; null where none of the kinds helps. */
  fix: Fix | null;
  /** There and back from the nearest warehouse of a shift that may serve it; null where no road leads there and back. */
  travelSecondsAlone: number | null;
  /** It fits, but to serve it costs more travel than a trip for it alone; only where travel comes first. */
  costlier: boolean;
  /** What serving it in the cheapest place adds, where `costlier`; in the metric of the problem. */
  extraTravel: number | null;
}

export interface ExplainOptions {
  /** The dates for which planning was asked, as stretches of time. */
  horizon: Interval[];
  /** The shifts that could serve a task if no vehicle were selected for it; all, where absent. */
  selectable?: (task: number) => number[];
  /** Hours are not extended to before this, because it has gone by. */
  notBefore?: number;
  /** Fixes that change more than this are none; a day where absent. */
  fixSecondsMax?: number;
}
