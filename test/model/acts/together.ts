import fc from 'fast-check';
import { fitOf, follow, type Act, type Prepared, type Step } from '../act.ts';
import type { Seen } from '../seen.ts';
import { Disagreement, type Model } from '../state.ts';

/**
 * Two at the same time: what has come of them must be what comes of one after the other. Each may be of several steps, between which
 * the other may have come.
 */
export const together = (acts: fc.Arbitrary<Act>): fc.Arbitrary<Act> => fc.tuple(acts, acts).map(([one, other]) => (model) => {
  const [a, b] = [one(model), other(model)];
  if (a === null || b === null) return null;
  let split = 0;
  const prepared: Prepared = {
    text: `at once: ${a.text} | ${b.text}`,
    async send(real) {
      const [first, second] = await Promise.all([a.send(real), b.send(real)]);
      split = first.length;
      return [...first, ...second];
    },
  };
  fitOf.set(prepared, (before, steps, seen) => fitSomeOrder(before, { first: steps.slice(0, split), second: steps.slice(split) }, seen));
  return prepared;
});

function fitSomeOrder(model: Model, { first, second }: { first: Step[]; second: Step[] }, seen: Seen): Model {
  const disagreements: string[] = [];
  for (const steps of interleavings(first, second)) {
    try {
      return follow(structuredClone(model), steps, seen);
    } catch (error) {
      if (!(error instanceof Disagreement)) throw error;
      disagreements.push(error.message);
    }
  }
  throw new Disagreement(`it fits no order of the two:\n${disagreements.map((message) => `- ${message}`).join('\n')}`);
}

/** All orders in which both keep theirs. */
function interleavings<T>(first: T[], second: T[]): T[][] {
  if (first.length === 0) return [second];
  if (second.length === 0) return [first];
  return [...interleavings(first.slice(1), second).map((rest) => [first[0], ...rest]), ...interleavings(first, second.slice(1)).map((rest) => [second[0], ...rest])];
}
