import { checkState } from '../../../core/solver/check-state.ts';
import { compile } from '../../../core/solver/compile.ts';
import { crossRoutes, crossTravel } from '../../../core/solver/cross.ts';
import { mayServe } from '../../../core/solver/eligibility.ts';
import { scanSlot, testPosition, needsTrial } from '../../../core/solver/insertion.ts';
import { mayLeave } from '../../../core/solver/pinned.ts';
import { createFinder, otherOf, resetPlace } from '../../../core/solver/place.ts';
import type { Finder, Place } from '../../../core/solver/place.ts';
import { NONE } from '../../../core/solver/problem.ts';
import type { Problem } from '../../../core/solver/problem.ts';
import { createRandom } from '../../../core/solver/random.ts';
import { refresh, refreshStretch } from '../../../core/solver/refresh.ts';
import { loadStart } from '../../../core/solver/start.ts';
import { createState, link, unlinkRun } from '../../../core/solver/state.ts';
import type { State } from '../../../core/solver/state.ts';
import { tryPosition } from '../../../core/solver/trial.ts';
import { commitStep, createUndo, rollback, saveSlot } from '../../../core/solver/undo.ts';

/**
 * Random moves in a random plan of a problem: insertions at every position, runs taken out, routes crossed, and steps taken back. What each is said to
 * change in constant time is compared with doing it, and the state with a walk from scratch; the first difference is an error. Answers
 * how many moves were compared.
 */
export function checkMoves(problem: Problem, seed: number, rounds: number): number {
  const random = createRandom(seed);
  const state = createState(compile(problem));
  const finder = createFinder();
  const undo = createUndo(state);
  let compared = 0;
  loadStart(state, finder);
  for (let round = 0; round < rounds; round++) {
    for (const task of state.unserved.slice(0, state.sum.unserved)) compared += checkInsertions(state, finder, task);
    const before = sketch(state);
    compared += insertSome(state, finder, random.below(4)) + removeSome(state, random.below(3)) + crossSome(random.below(3));
    if (random.below(2) === 0) commitStep(undo);
    else {
      rollback(undo, state);
      if (sketch(state) !== before) throw new Error('a step that was taken back left a trace');
    }
    checkState(state, problem);
  }
  return compared;

  /** Puts tasks where the search would, or somewhere that is feasible. */
  function insertSome(from: State, best: Finder, wanted: number): number {
    let done = 0;
    for (; done < wanted && from.sum.unserved > 0; done++) {
      const task = from.unserved[random.below(from.sum.unserved)];
      const slot = random.below(from.compiled.slotCount);
      if (from.pinShift[task] !== NONE && (from.compiled.flags[task] & 4) !== 0) continue;
      resetPlace(best);
      scanSlot(from, best, task, slot);
      if (best.after === NONE) continue;
      const expected = from.sum.travel + best.travel;
      saveSlot(undo, from, slot);
      link(from, task, best.after);
      if (!refreshStretch(from, slot, task, task)) throw new Error(`inserting task ${task} was tested and is not feasible`);
      if (from.sum.travel !== expected) throw new Error(`inserting task ${task} makes ${from.sum.travel} of travel, not ${expected}`);
    }
    return done;
  }

  /** Crosses two routes wherever that may be, and compares what it was said to change. Where nothing is pinned to its shift and both are alike, the test in constant time decides alone. */
  function crossSome(wanted: number): number {
    for (let done = 0; done < wanted; done++) {
      const [a, b] = [anyCut(), anyCut()];
      if (state.slotOf[a] === state.slotOf[b]) continue;
      saveSlot(undo, state, state.slotOf[a]);
      saveSlot(undo, state, state.slotOf[b]);
      const sum = { ...state.sum };
      const more = crossTravel(state, a, b);
      const routes = sketch(state);
      if (!crossRoutes(state, a, b)) {
        if (sketch(state) !== routes) throw new Error('a crossing that was refused left a trace');
      } else if (more === Infinity && isAlike(a, b)) throw new Error(`crossing behind ${a} and ${b} was said not to be feasible`);
      else if (more !== Infinity && state.sum.travel !== sum.travel + more) throw new Error(`crossing makes ${state.sum.travel}, not ${sum.travel + more}`);
    }
    return wanted;
  }

  /** A node behind which a route may be cut: a task, or where a slot starts. */
  function anyCut(): number {
    const { taskCount, slotCount } = state.compiled;
    const node = random.below(taskCount + slotCount);
    return node < taskCount && state.slotOf[node] === NONE ? state.firstStart + random.below(slotCount) : node;
  }

  function isAlike(a: number, b: number): boolean {
    const { slotClass } = state.compiled;
    return slotClass[state.slotOf[a]] === slotClass[state.slotOf[b]];
  }

  /** Takes out a run of a route; where the rest is not feasible, everything is put back. */
  function removeSome(from: State, wanted: number): number {
    let done = 0;
    for (; done < wanted; done++) {
      const task = random.below(Math.max(1, from.compiled.taskCount));
      const slot = from.slotOf[task] ?? NONE;
      if (slot === NONE || !mayLeave(from, task)) continue;
      let count = 1;
      for (let last = from.next[task]; last < from.firstStart && mayLeave(from, last) && random.below(3) > 0; last = from.next[last]) count++;
      saveSlot(undo, from, slot);
      const gap = from.prev[task];
      let behind = task;
      for (let i = 0; i < count; i++) behind = from.next[behind];
      unlinkRun(from, task, count);
      if (refreshStretch(from, slot, gap, behind)) continue;
      if (refresh(from, slot)) throw new Error('a stretch was not feasible and the whole route is');
      rollback(undo, from);
      return done + 1;
    }
    return done;
  }
}

function noPlace(): Place {
  const place = { after: NONE, travel: 0, other: 0 };
  resetPlace(place);
  return place;
}

/** Every position of every slot: one by one against doing it, and the best of each slot against the best by trial. */
function checkInsertions(state: State, finder: Finder, task: number): number {
  let compared = 0;
  for (let slot = 0; slot < state.compiled.slotCount; slot++) {
    const best = noPlace();
    if (mayServe(state, task, slot)) {
      for (let after = state.firstStart + slot; after !== state.firstEnd + slot; after = state.next[after]) {
        const done = noPlace();
        tryPosition(state, done, task, after);
        tryPosition(state, best, task, after);
        if (needsTrial(state, task, slot)) continue;
        resetPlace(finder);
        testPosition(state, finder, task, after);
        compared++;
        if (finder.after !== done.after || finder.travel !== done.travel || otherOf(state, finder, task) !== done.other) {
          throw new Error(`task ${task} behind ${after}: ${finder.travel} and ${finder.other}, not ${done.travel} and ${done.other}`);
        }
      }
    }
    resetPlace(finder);
    scanSlot(state, finder, task, slot);
    if (finder.travel !== best.travel || otherOf(state, finder, task) !== best.other) throw new Error(`task ${task} in slot ${slot}: ${finder.travel}, not ${best.travel}`);
  }
  return compared;
}

/** Everything that a step which is taken back has to leave as it was. */
function sketch({ compiled, next, slotOf, earliest, latest, legTravel, slotRoom, slotCount, unserved, sum, firstStart }: State): string {
  const routes = Array.from({ length: compiled.slotCount }, (_, slot) => {
    const nodes: number[] = [];
    for (let node = firstStart + slot; node !== NONE; node = next[node]) nodes.push(node);
    return nodes.map((node) => [node, slotOf[node], legTravel[node], node < firstStart ? earliest[node] : 0, node < firstStart ? latest[node] : 0]);
  });
  return JSON.stringify([routes, [...slotRoom], [...slotCount], unserved.slice(0, sum.unserved).toSorted(), sum]);
}
