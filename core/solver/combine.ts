import { emptyLike, mayGo, settleRoute } from './exchange.ts';
import { NONE } from './problem.ts';
import type { Random } from './random.ts';
import { refresh } from './refresh.ts';
import type { PricedRoutes } from './route-pool.ts';
import { link, unlinkRun } from './state.ts';
import type { State } from './state.ts';
import { NOISE_SIZE, noise } from './temperature.ts';

/** Routes are drawn by their price for each task, plus so much of what a task is worth, times -ln u. */
const NOISE = 0.02;
/** The best of so many draws counts; a task in none of its routes costs this share of its worth. */
const DRAWS = 30;
const LEFT_OUT = 0.1;
/** More than there are routes in a pool, and as many keys as a double has room for beside them. */
const INDEX_RANGE = 2 ** 12;
const KEY_RANGE = 2 ** 40;

/**
 * Makes the plan one of routes from many plans that share no task, the cheapest for their tasks first and something of chance in it: adaptive memory
 * (Y. Rochat & É. Taillard, *Probabilistic Diversification and Intensification in Local Search for Vehicle Routing*, Journal of Heuristics 1 (1995)), with
 * routes priced as in column generation. What is in none of them is left out for now. Routes with tasks that must stay in their shift stay as they are.
 * All times are up to date then; false where that is not feasible: the state is of no use until it is changed to another plan.
 */
export function combineRoutes(state: State, routes: PricedRoutes, random: Random): boolean {
  const { compiled: { slotCount, slotShift, isOdd } } = state;
  const leaving: number[] = [];
  for (let slot = 0; slot < slotCount; slot++) if (state.slotCount[slot] > 0 && isOdd[slotShift[slot]] === 0 && mayGo(state, slot)) leaving.push(slot);
  for (const slot of leaving) unlinkRun(state, state.next[state.firstStart + slot], state.slotCount[slot]);
  for (const slot of leaving) if (!refresh(state, slot)) return false;
  for (const route of chooseRoutes(state, routes, random)) {
    const slot = emptyLike(state, routes.slot[route]);
    for (let i = routes.begin[route]; i < routes.begin[route + 1]; i++) link(state, routes.task[i], state.prev[state.firstEnd + slot]);
    if (!settleRoute(state, slot)) return false;
  }
  state.isSwept.fill(0);
  return true;
}

/** Routes whose tasks are all free and not in one another, for slots that are empty. */
function chooseRoutes(state: State, { begin, task, slot, price, worth }: PricedRoutes, random: Random): number[] {
  const { compiled: { slotClass }, unservedAt, emptyCount } = state;
  const count = price.length;
  const keys = new Float64Array(count);
  const taken = new Int32Array(unservedAt.length);
  const slotsLeft = emptyCount.slice();
  let best: number[] = [];
  let least = Infinity;
  for (let draw = 1; draw <= DRAWS; draw++) {
    for (let route = 0; route < count; route++) keys[route] = price[route] / (begin[route + 1] - begin[route]) + NOISE * worth * noise[random.bits() & (NOISE_SIZE - 1)];
    slotsLeft.set(emptyCount);
    const chosen: number[] = [];
    let cost = 0;
    for (const route of orderOf(keys)) {
      const kind = slotClass[slot[route]];
      if (slotsLeft[kind] === 0 || !isFree(state, task, begin[route], begin[route + 1], taken, draw)) continue;
      for (let i = begin[route]; i < begin[route + 1]; i++) taken[task[i]] = draw;
      slotsLeft[kind]--;
      chosen.push(route);
      cost += price[route] - LEFT_OUT * worth * (begin[route + 1] - begin[route]);
    }
    if (cost >= least) continue;
    least = cost;
    best = chosen;
  }
  return best;
}

function isFree({ unservedAt }: State, task: Int32Array, begin: number, end: number, taken: Int32Array, draw: number): boolean {
  for (let i = begin; i < end; i++) if (unservedAt[task[i]] === NONE || taken[task[i]] === draw) return false;
  return true;
}

/** Indices by their key: the key in the high bits of a double and the index in the low ones, because an array of doubles is sorted quickly. */
function orderOf(keys: Float64Array): Float64Array {
  let least = Infinity;
  let most = -Infinity;
  for (const key of keys) {
    least = Math.min(least, key);
    most = Math.max(most, key);
  }
  const scale = KEY_RANGE / Math.max(most - least, 1e-9);
  const packed = keys.map((key, nth) => Math.floor((key - least) * scale) * INDEX_RANGE + nth).sort();
  return packed.map((value) => value % INDEX_RANGE);
}
