import { construct, createSearcher } from './anneal.ts';
import type { Searcher } from './anneal.ts';
import { budgetShare } from './budget.ts';
import type { Compiled } from './compiled.ts';
import { descend } from './descend.ts';
import type { Links } from './links.ts';
import type { SearchOptions, SlotPlan } from './search.ts';
import { changeTo, loadSlots } from './start.ts';

export type PolishOptions = Pick<SearchOptions, 'budget' | 'clock' | 'shouldStop'> & { slots: number[][] };

/** A local search alone, from this plan on, as far as the time goes. */
export function polishPlan(compiled: Compiled, { slots, budget: { milliseconds }, clock, shouldStop }: PolishOptions): SlotPlan {
  const searcher = createSearcher(compiled, 0);
  loadSlots(searcher.state, slots);
  searcher.best.offer();
  const isOver = budgetShare({ milliseconds }, clock);
  polish(searcher, () => isOver(0) >= 1 || shouldStop?.() === true);
  return searcher.best.plan();
}

/** Goes on from the best plan to one that no move makes better, and puts back what finds a place in it then. */
export function polish(searcher: Searcher, shouldStop = () => false, known: Links | null = null): void {
  const { state, best } = searcher;
  changeTo(state, best);
  if (descend(searcher, shouldStop, known) === 0) return;
  construct(searcher);
  best.offer();
}
