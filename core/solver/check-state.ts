import { NONE } from './problem.ts';
import type { Problem } from './problem.ts';
import { refresh } from './refresh.ts';
import type { State } from './state.ts';
import { timeParts } from './timing.ts';

/**
 * Compares what the search believes with a walk from scratch: travel, and that earliest times are those of the walk wherever a
 * shift stands alone. Throws at the first difference. Only for tests.
 */
export function checkState(state: State, problem: Problem): void {
  const { compiled, sum } = state;
  let seconds = 0;
  let metres = 0;
  let served = 0;
  for (let shift = 0; shift < compiled.shiftCount; shift++) {
    const parts = partsOf(state, shift);
    served += parts.flat().length;
    const bounds = { earliestStart: state.ready[state.firstStart + compiled.slotBegin[shift]] };
    const timing = timeParts(problem, shift, parts, compiled.component[shift] === NONE ? {} : bounds);
    if (timing === null) throw new Error(`shift ${shift} is not feasible: ${JSON.stringify(parts)}`);
    seconds += timing.seconds;
    metres += timing.metres;
    for (const visit of timing.visits) {
      if (visit.task === NONE || compiled.component[shift] !== NONE && state.compiled.handoverTo.some((to) => to !== NONE)) continue;
      if (visit.start !== state.earliest[visit.task]) throw new Error(`task ${visit.task} starts at ${visit.start}, not ${state.earliest[visit.task]}`);
    }
  }
  const [travel, other] = compiled.metricIsMetres ? [metres, seconds] : [seconds, metres];
  if (sum.travel !== travel || sum.other !== other) throw new Error(`travel is ${travel} and ${other}, not ${sum.travel} and ${sum.other}`);
  if (sum.unserved !== state.tasks.length - served) throw new Error(`${state.tasks.length - served} are not served, not ${sum.unserved}`);
  checkRefresh(state);
}

/** All times must be what they are when everything is walked again. */
function checkRefresh(state: State): void {
  const before = { earliest: state.earliest.slice(), latest: state.latest.slice(), isSwept: state.isSwept.slice() };
  state.slotIsStale.fill(1);
  for (let slot = 0; slot < state.compiled.slotCount; slot++) {
    if (!refresh(state, slot)) throw new Error(`slot ${slot} is not feasible when everything is walked again`);
  }
  state.isSwept.set(before.isSwept);
  for (let node = 0; node < state.nodeCount; node++) {
    if (state.slotOf[node] === NONE || node >= state.firstStart) continue;
    if (before.earliest[node] !== state.earliest[node]) throw new Error(`the earliest time of task ${node} was out of date`);
    if (before.latest[node] !== state.latest[node]) throw new Error(`the latest time of task ${node} was out of date`);
  }
}

function partsOf(state: State, shift: number): number[][] {
  const { slotBegin } = state.compiled;
  const parts: number[][] = [];
  for (let slot = slotBegin[shift]; slot < slotBegin[shift + 1]; slot++) {
    const part: number[] = [];
    for (let node = state.next[state.firstStart + slot]; node !== state.firstEnd + slot; node = state.next[node]) part.push(node);
    parts.push(part);
  }
  return parts;
}
