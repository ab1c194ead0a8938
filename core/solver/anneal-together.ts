import type { Compiled } from './compiled.ts';
import type { SearchResult, SlotPlan } from './search.ts';
import { report, runSearches } from './search-jobs.ts';
import type { Span, Together } from './search-jobs.ts';
import { isBetter } from './search-value.ts';
import type { Part } from './state.ts';

export interface Plans {
  best: SlotPlan;
  /** Where the annealing is. */
  current: SlotPlan;
}

export interface Round {
  /** One for each search. */
  seeds: number[];
  /** The part of the budget that the round takes, and the part of the cooling that it does. */
  span: Span;
  cooling: Span;
  /** What each search has for itself; null where all search the whole plan. */
  parts?: Part[] | null;
  hunts?: boolean;
}

/** All searches go on from one plan, each in its own part of it or all of them in the whole, and what they come to is one plan again. */
export async function annealRound(together: Together, plans: Plans | null, { seeds, span, cooling, parts = null, hunts = false }: Round): Promise<Plans> {
  const { compiled } = together;
  const before = together.iterations;
  const results = await runSearches(together, span, seeds.map((seed, nth) => {
    const part = parts?.[nth] ?? null;
    return {
      seed, cooling, slots: startOf(compiled, plans?.current ?? null, part), part, hunts,
      onProgress: parts === null ? (seen) => report(together, seen, before + seen.iterations) : undefined,
    };
  }));
  const found = plans === null || parts === null ? better(plans, results) : takeParts(compiled, plans, parts, results);
  report(together, found.best, together.iterations);
  return found;
}

function better(plans: Plans | null, results: SearchResult[]): Plans {
  const best = [...(plans === null ? [] : [plans.best]), ...results.map((result) => result.best)].reduce((one, other) => (isBetter(other.value, one.value) ? other : one));
  return { best, current: best };
}

function startOf({ slotShift }: Compiled, current: SlotPlan | null, part: Part | null): number[][] | null {
  if (current === null || part === null) return current?.slots ?? null;
  const shifts = new Set(part.shifts);
  return current.slots.map((tasks, slot) => (shifts.has(slotShift[slot]) ? tasks : []));
}

/** Puts the parts together: what the searches ended with, and the best that either of them saw, which may never have been at once. */
function takeParts(compiled: Compiled, plans: Plans, parts: Part[], results: SearchResult[]): Plans {
  const best = joined(compiled, parts, results.map((result) => result.best));
  return { best: isBetter(best.value, plans.best.value) ? best : plans.best, current: joined(compiled, parts, results.map((result) => result.current)) };
}

function joined({ slotBegin, slotCount }: Compiled, parts: Part[], plans: SlotPlan[]): SlotPlan {
  const slots: number[][] = Array.from({ length: slotCount }, () => []);
  parts.forEach(({ shifts }, nth) => {
    for (const shift of shifts) {
      for (let slot = slotBegin[shift]; slot < slotBegin[shift + 1]; slot++) slots[slot] = plans[nth].slots[slot];
    }
  });
  const total = (read: (plan: SlotPlan) => number) => plans.reduce((sum, plan) => sum + read(plan), 0);
  return {
    slots,
    value: { rank: total((plan) => plan.value.rank), cost: total((plan) => plan.value.cost), tie: total((plan) => plan.value.tie), other: total((plan) => plan.value.other) },
    unserved: total((plan) => plan.unserved), travelSeconds: total((plan) => plan.travelSeconds), travelMetres: total((plan) => plan.travelMetres),
  };
}
