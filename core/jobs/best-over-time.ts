import type { BestPlan, JobProgress } from './entity.ts';

/** A plan that was better than all before it, and when it was seen. */
export interface TimedBest extends BestPlan {
  elapsed_seconds: number;
}

/** More tell nobody more, and are written with every report. */
const seenMax = 100;

/**
 * What was seen so far, and what a report says of the best plan if that is news. When there are too many, every other one of the older
 * ones goes: the first steps, which are the longest ones, stay told apart. A run that begins again begins its own story.
 */
export function withBest(seen: TimedBest[], { elapsed_seconds: elapsed, best }: JobProgress): TimedBest[] {
  if (!best || elapsed === undefined) return seen;
  const before = elapsed < (seen.at(-1)?.elapsed_seconds ?? 0) ? [] : seen;
  const last = before.at(-1);
  if (last && last.planned === best.planned && last.travel_seconds === best.travel_seconds && last.travel_meters === best.travel_meters) return before;
  const { planned, unplanned, travel_seconds, travel_meters, iterations } = best;
  const all = [...before, { elapsed_seconds: elapsed, planned, unplanned, travel_seconds, travel_meters, iterations }];
  return all.length <= seenMax ? all : all.filter((_one, nth) => nth === 0 || nth % 2 === 1 || nth > all.length - 10);
}

/** What had been seen at a moment of the run. */
export const bestUntil = (seen: TimedBest[], elapsed = 0): TimedBest[] => seen.filter((one) => one.elapsed_seconds <= elapsed);
