import { BESIDE_LEG_AT, BESIDE_LEG_MAX, FLAG } from './compiled.ts';
import type { Compiled } from './compiled.ts';
import { mayFit } from './eligibility.ts';
import { NONE } from './problem.ts';

const WAIT_WEIGHT = 0.2;
const SQUARE = 32;
/** So many of the others say about how far the nearest few lie. */
const SAMPLE = 128;

/** Turns the matrices over, if there is room for that, and ranks the neighbours of every task that is not fixed: once for all threads. */
export function fillNeighbours(compiled: Compiled, tasks = { from: 0, until: compiled.taskCount }): void {
  turnOver(compiled, tasks);
  fillFits(compiled, tasks);
  fillFrames(compiled, tasks);
  fillNearest(compiled, tasks);
  fillBeside(compiled, tasks);
}

interface Range {
  from: number;
  until: number;
}

/** The share of all rows that the tasks are of all tasks. */
function turnOver(compiled: Compiled, { from, until }: Range): void {
  const { transposedPlaces: size, matrixCount, taskCount } = compiled;
  if (size === 0) return;
  const rowAt = (task: number) => Math.round(size * task / taskCount);
  for (let begin = 0; begin < matrixCount * size ** 2; begin += size ** 2) {
    const matrices = [[compiled.seconds, compiled.secondsTo], [compiled.metres, compiled.metresTo]];
    for (const [matrix, turned] of matrices.slice(0, compiled.hasOneMetric === 1 ? 1 : 2)) {
      transpose(matrix.subarray(begin), turned.subarray(begin), size, { from: rowAt(from), until: rowAt(until) });
    }
  }
}

/** In squares that fit into the cache: a column lies scattered in memory. */
function transpose(matrix: Int32Array, turned: Int32Array, size: number, rows: Range): void {
  for (let row = rows.from; row < rows.until; row += SQUARE) {
    for (let column = 0; column < size; column += SQUARE) {
      for (let from = row; from < Math.min(row + SQUARE, rows.until); from++) {
        for (let to = column; to < Math.min(column + SQUARE, size); to++) turned[to * size + from] = matrix[from * size + to];
      }
    }
  }
}

/** Of several matrices the least travel between each two places: who is near to one vehicle is a likely neighbour. */
function leastOf({ matrixCount, placeCount }: Compiled, matrices: Int32Array): Int32Array {
  const cells = placeCount ** 2;
  if (matrixCount === 1) return matrices;
  const least = matrices.slice(0, cells);
  for (let i = cells; i < matrices.length; i++) if (matrices[i] < least[i % cells]) least[i % cells] = matrices[i];
  return least;
}

/** For every task that is not fixed the classes of empty slots that may take it. */
function fillFits(compiled: Compiled, tasks: Range): void {
  const { slotCount, slotClass, fits, fitWords, flags } = compiled;
  for (let slot = 0; slot < slotCount; slot++) {
    const kind = slotClass[slot];
    if (slotClass.indexOf(kind) < slot) continue;
    for (let task = tasks.from; task < tasks.until; task++) {
      if ((flags[task] & FLAG.isFixed) === 0 && mayFit(compiled, task, slot)) fits[task * fitWords + (kind >> 5)] |= 1 << (kind & 31);
    }
  }
}

/** What a route for one task alone costs in each frame. */
function fillFrames(compiled: Compiled, { from, until }: Range): void {
  const { taskPlace, placeCount: size, metricIsMetres, metres, seconds, frameCount, frameStart, frameEnd, frameMatrix, frameTravel } = compiled;
  const travel = metricIsMetres ? metres : seconds;
  for (let frame = 0; frame < frameCount; frame++) {
    if (frameStart[frame] === NONE) continue;
    for (let task = from; task < until; task++) {
      const cells = frameMatrix[frame] + taskPlace[task] * size;
      frameTravel[task * frameCount + frame] = travel[frameMatrix[frame] + frameStart[frame] * size + taskPlace[task]] + travel[cells + frameEnd[frame]];
    }
  }
}

/** For every task its nearest others in travel there and back, nearest first, row by row. */
function fillNearest(compiled: Compiled, tasks: Range): void {
  const { taskPlace: place, placeCount: size, nearestCount, nearest, isSymmetric, flags } = compiled;
  const travel = leastOf(compiled, compiled.metricIsMetres ? compiled.metres : compiled.seconds);
  const ranking = createRanking(compiled.taskCount);
  for (let task = tasks.from; task < tasks.until; task++) {
    if (flags[task] & FLAG.isFixed) continue;
    const row = place[task] * size;
    ranking.begin();
    for (let other = 0; other < compiled.taskCount; other++) {
      const there = travel[row + place[other]];
      if (other !== task) ranking.offer(other, there + (isSymmetric === 1 ? there : travel[place[other] * size + place[task]]));
    }
    ranking.first(nearestCount).forEach((other, i) => {
      nearest[task * nearestCount + i] = other;
    });
  }
}

/**
 * For every task the others that go best directly before it and directly behind it: near, and without long waiting or lateness
 * between them (the proximity of Vidal et al. 2013, as PyVRP uses it, by direction). What the windows rule out is left out.
 */
function fillBeside(compiled: Compiled, tasks: Range): void {
  const { taskPlace: place, placeCount: size, duration, windowStart, windowEnd, besideCount, besideShift, beside, isSymmetric, flags } = compiled;
  const seconds = leastOf(compiled, compiled.seconds);
  const travel = compiled.metricIsMetres ? leastOf(compiled, compiled.metres) : seconds;
  const ranking = createRanking(compiled.taskCount);

  /** Of a matrix that is symmetric always the row of the task whose neighbours are ranked: a column lies scattered in memory. */
  let task = tasks.from;
  const cellOf = (a: number, b: number): number => (isSymmetric === 1 && b === task ? place[b] * size + place[a] : place[a] * size + place[b]);

  /** Infinity where `b` is always too late behind `a`. */
  const proximity = (a: number, b: number): number => {
    const cell = cellOf(a, b);
    if (windowStart[a] + duration[a] + seconds[cell] + duration[b] > windowEnd[b]) return Infinity;
    const wait = windowStart[b] - seconds[cell] - windowEnd[a];
    return travel[cell] + (wait > 0 ? WAIT_WEIGHT * wait : 0);
  };

  for (; task < tasks.until; task++) {
    // Pinned tasks go back into their own shift, hopeless ones nowhere.
    if (flags[task] & (FLAG.isFixed | FLAG.isPinned | FLAG.isHopeless)) continue;
    for (const side of [0, 1]) {
      ranking.begin();
      for (let other = 0; other < compiled.taskCount; other++) {
        if (other !== task) ranking.offer(other, side === 0 ? proximity(other, task) : proximity(task, other));
      }
      const begin = (2 * task + side) * besideCount;
      const ranked = ranking.first(besideCount);
      for (let nth = 0; nth < besideCount; nth++) {
        const other = ranked[nth] ?? task;
        const leg = other === task ? BESIDE_LEG_MAX : Math.min(BESIDE_LEG_MAX, travel[side === 0 ? cellOf(other, task) : cellOf(task, other)] >> besideShift);
        beside[begin + nth] = other | leg << BESIDE_LEG_AT;
      }
    }
  }
}

/** Of many items with a distance the nearest few; items at Infinity are left out. All of it in buffers that are made once. */
function createRanking(itemsMax: number) {
  // Distance and index in one number, so that the engine's own sort of plain numbers does all the work.
  const keys = new Float64Array(itemsMax);
  const chosen = new Float64Array(itemsMax);
  const sample = new Float64Array(2 * SAMPLE);
  let count = 0;

  /** A key that about `wanted` others lie below, by a sample; rather too large. Sorting what is below saves sorting all. */
  const likelyThreshold = (wanted: number): number => {
    const step = Math.max(1, Math.floor(count / SAMPLE));
    const size = Math.floor((count - 1) / step) + 1;
    for (let i = 0; i < size; i++) sample[i] = keys[i * step];
    return sample.subarray(0, size).sort()[Math.min(size - 1, Math.ceil(1.3 * wanted / step) + 4)];
  };

  const sortedUpTo = (threshold: number): Float64Array => {
    let below = 0;
    for (let i = 0; i < count; i++) if (keys[i] <= threshold) chosen[below++] = keys[i];
    return chosen.subarray(0, below).sort();
  };

  return {
    begin(): void {
      count = 0;
    },
    offer(item: number, distance: number): void {
      if (distance !== Infinity) keys[count++] = Math.floor(distance) * 0x10000 + item;
    },
    first(wanted: number): number[] {
      const few = sortedUpTo(wanted * 2 < count ? likelyThreshold(wanted) : Infinity);
      const sorted = few.length >= Math.min(wanted, count) ? few : sortedUpTo(Infinity);
      const items: number[] = [];
      for (let i = 0; i < Math.min(wanted, count); i++) items.push(sorted[i] % 0x10000);
      return items;
    },
  };
}
