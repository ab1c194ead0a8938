import type { State } from './state.ts';

const WAIT_WEIGHT = 0.2;

/** For every task its `count` nearest others in travel there and back, nearest first, row by row. */
export function nearestTasks(state: State, count: number): Int32Array {
  const { travel, place, compiled } = state;
  const { placeCount: size } = compiled;
  return rankTasks(compiled.taskCount, count, (a, b) => travel[place[a] * size + place[b]] + travel[place[b] * size + place[a]]);
}

/**
 * For every task the `count` others that go best directly before or behind it: near, and without long waiting or lateness between
 * them (the proximity of Vidal et al. 2013, as PyVRP uses it).
 */
export function likelyNeighbours(state: State, count: number): Int32Array {
  const { travel, place, duration, windowStart, windowLatest, compiled } = state;
  const { placeCount: size, seconds } = compiled;
  const oneWay = (a: number, b: number): number => {
    const cell = place[a] * size + place[b];
    const wait = windowStart[b] - seconds[cell] - duration[a] - windowLatest[a];
    const late = windowStart[a] + duration[a] + seconds[cell] - windowLatest[b];
    return travel[cell] + WAIT_WEIGHT * Math.max(0, wait) + Math.max(0, late);
  };
  return rankTasks(compiled.taskCount, count, (a, b) => Math.min(oneWay(a, b), oneWay(b, a)));
}

function rankTasks(taskCount: number, count: number, distance: (a: number, b: number) => number): Int32Array {
  const kept = Math.min(count, Math.max(0, taskCount - 1));
  const ranked = new Int32Array(taskCount * kept);
  // Distance and index in one number, so that the engine's own sort of plain numbers does all the work.
  const keys = new Float64Array(taskCount);
  for (let a = 0; a < taskCount; a++) {
    for (let b = 0; b < taskCount; b++) keys[b] = b === a ? Infinity : Math.floor(distance(a, b)) * 0x10000 + b;
    const sorted = keys.toSorted();
    for (let i = 0; i < kept; i++) ranked[a * kept + i] = sorted[i] % 0x10000;
  }
  return ranked;
}
