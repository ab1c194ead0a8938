import { FLAG, slotStart } from './compiled.ts';
import type { Compiled } from './compiled.ts';
import { isAllowed } from './eligibility.ts';
import { NONE } from './problem.ts';

/**
 * The routes while the search changes them: doubly linked lists over nodes. Node i < taskCount is task i; every slot s has two
 * sentinels, `taskCount + s` where it starts and `taskCount + slotCount + s` where it ends. All arrays named by node have an entry
 * for each of the three.
 */
export interface State {
  compiled: Compiled;
  nodeCount: number;
  firstStart: number;
  firstEnd: number;
  next: Int32Array;
  prev: Int32Array;
  /** Slot of a node; NONE for a task that is not served. */
  slotOf: Int32Array;
  place: Int32Array;
  duration: Int32Array;
  windowStart: Int32Array;
  /** Latest start of service that the window allows. */
  windowLatest: Int32Array;
  /** Earliest start of service, earliest end of it, latest start of it; at sentinels the earliest and latest time there. */
  earliest: Int32Array;
  ready: Int32Array;
  latest: Int32Array;
  /** The leg from the previous node: seconds, the travel that counts, the other travel. 0 where a slot is empty. */
  legSeconds: Int32Array;
  legTravel: Int32Array;
  legOther: Int32Array;
  /**
   * Travel of the leg that ends and of the leg that begins at a node, where it leads from task to task, and `NO_BOUND` where it leads
   * from or to a sentinel: what bounds the cost of an insertion there (see `findNear`).
   */
  legIn: Int32Array;
  legOut: Int32Array;
  /** Of a handover break in a route: who drives before it. */
  driverBefore: Int32Array;
  /** Matrices of the travel that counts and of the other one; those of a slot begin at `compiled.slotMatrix[slot]`. */
  travel: Int32Array;
  other: Int32Array;
  /**
   * The legs that lead to one place lie in a column of the matrix, far from one another in memory, and the search asks for them all the time:
   * `travelTo[to * placeCount + from]` while the matrices are symmetric or small enough to be kept twice (`stepTo` is 1), otherwise
   * the matrix itself, `travelTo[from * placeCount + to]` (`stepTo` is placeCount). The same for `secondsTo`.
   */
  travelTo: Int32Array;
  secondsTo: Int32Array;
  stepTo: number;
  slotCount: Int32Array;
  /** Load that a slot still takes. The same is `roomOf[slot + 1]`, and what is in no slot at all has a room there that is too small for any load. */
  slotRoom: Int32Array;
  roomOf: Int32Array;
  /** 1 where a slot has one interval, so that times are plain sums. */
  slotIsSimple: Uint8Array;
  slotHandovers: Int32Array;
  /** 1 where a slot's times depend on nothing but its own tasks. */
  slotIsAlone: Uint8Array;
  /** The empty slots of class c: `emptySlots[classBegin[c] .. classBegin[c] + emptyCount[c])`; `emptyAt[slot]` the way back. */
  classBegin: Int32Array;
  emptySlots: Int32Array;
  emptyCount: Int32Array;
  emptyAt: Int32Array;
  /** One bit per class: those that have an empty slot. */
  emptyClasses: Int32Array;
  /** 1 where a slot's times must be walked again. */
  slotIsStale: Uint8Array;
  /** The first opening and last closing of a slot's intervals. */
  slotOpens: Int32Array;
  slotCloses: Int32Array;
  /** 1 for shifts in which a handover may take place. */
  shiftHandsOver: Uint8Array;
  /** Per shift: who is back by then, or leaves then or later, leaves the drivers' other shifts as they are (see `calmHours`). */
  calmUntil: Float64Array;
  calmFrom: Float64Array;
  /** 1 for components of which other slots than those of the step may have got other times. */
  isSwept: Uint8Array;
  /** Who drives at the end of a shift. */
  lastDriver: Int32Array;
  /** Scratch of the driver sweeps, per driver. */
  driverReady: Float64Array;
  driverUntil: Float64Array;
  pendingDriver: Int32Array;
  pendingTime: Int32Array;
  /** Of pinned tasks: their shift, and their order in it. */
  pinShift: Int32Array;
  pinRank: Int32Array;
  /** The tasks that are searched for a place: all of them, or those of a part. */
  tasks: Int32Array;
  /** Those of them that may leave their route. */
  loose: Int32Array;
  /** Tasks not served: `unserved[0 .. unservedCount)`, `unservedAt[task]` the way back (NONE if served). */
  unserved: Int32Array;
  unservedAt: Int32Array;
  sum: Sum;
}

/** The objective's parts. */
export interface Sum {
  travel: number;
  other: number;
  unserved: number;
  /** Mandatory or pinned. */
  mandatory: number;
  breaks: number;
  /** Alone trips of the unserved. */
  alone: number;
  /** Slots that serve anything: no part of the objective. */
  usedSlots: number;
}

/** A part of a problem: shifts that do not depend on any other, and tasks that are in them or in no shift. */
export interface Part {
  shifts: number[];
  tasks: number[];
}

/** All routes empty, nothing served. Of a problem of which only a part is searched, the rest is neither planned nor left out. */
export function createState(compiled: Compiled, part: Part | null = null): State {
  const { taskCount: n, slotCount: slots, shiftCount, classCount } = compiled;
  const nodeCount = n + 2 * slots;
  const nodes = () => new Int32Array(nodeCount);
  const takers = takersOf(compiled);
  const isTurned = compiled.transposedPlaces > 0;
  const secondsTo = isTurned ? compiled.secondsTo : compiled.seconds;
  const metresTo = isTurned ? compiled.metresTo : compiled.metres;
  const roomOf = new Int32Array(slots + 1).fill(NONE);
  roomOf.set(compiled.slotCapacity, 1);
  const state: State = {
    compiled, nodeCount, firstStart: n, firstEnd: n + slots,
    next: nodes(), prev: nodes(), slotOf: nodes().fill(NONE), place: nodes(), duration: nodes(),
    windowStart: nodes(), windowLatest: nodes(), earliest: nodes(), ready: nodes(), latest: nodes(),
    legSeconds: nodes(), legTravel: nodes(), legOther: nodes(), legIn: nodes(), legOut: nodes(), driverBefore: nodes().fill(NONE),
    travel: compiled.metricIsMetres ? compiled.metres : compiled.seconds,
    other: compiled.metricIsMetres ? compiled.seconds : compiled.metres,
    travelTo: compiled.metricIsMetres ? metresTo : secondsTo, secondsTo, stepTo: isTurned || compiled.isSymmetric === 1 ? 1 : compiled.placeCount,
    slotCount: new Int32Array(slots), slotRoom: roomOf.subarray(1), roomOf, slotIsSimple: new Uint8Array(slots), slotHandovers: new Int32Array(slots),
    slotIsAlone: new Uint8Array(slots),
    classBegin: new Int32Array(classCount + 1), emptySlots: new Int32Array(slots),
    emptyCount: new Int32Array(classCount), emptyAt: new Int32Array(slots),
    emptyClasses: new Int32Array(compiled.fitWords),
    slotIsStale: new Uint8Array(slots).fill(1), slotOpens: new Int32Array(slots), slotCloses: new Int32Array(slots),
    shiftHandsOver: Uint8Array.from(takers, ({ size }) => (size > 0 ? 1 : 0)), lastDriver: compiled.driver.slice(),
    ...calmHours(compiled, takers), isSwept: new Uint8Array(compiled.componentCount),
    driverReady: new Float64Array(compiled.driverCount), driverUntil: new Float64Array(compiled.driverCount),
    pendingDriver: new Int32Array(n + 1), pendingTime: new Int32Array(n + 1),
    pinShift: new Int32Array(n).fill(NONE), pinRank: new Int32Array(n),
    tasks: part === null ? Int32Array.from({ length: n }, (_, task) => task) : Int32Array.from(part.tasks),
    loose: Int32Array.from(part?.tasks ?? compiled.flags.keys()).filter((task) => (compiled.flags[task] & FLAG.isFixed) === 0),
    unserved: new Int32Array(n), unservedAt: new Int32Array(n).fill(NONE),
    sum: { travel: 0, other: 0, unserved: 0, mandatory: 0, breaks: 0, alone: 0, usedSlots: 0 },
  };
  state.place.set(compiled.taskPlace);
  state.duration.set(compiled.duration);
  state.windowStart.set(compiled.windowStart);
  for (let task = 0; task < n; task++) {
    state.windowLatest[task] = compiled.windowEnd[task] - compiled.duration[task];
  }
  for (const task of state.tasks) markUnserved(state, task);
  for (let i = 0; i < compiled.startCount; i++) state.pinRank[compiled.startTask[i]] = i;
  for (const kind of compiled.slotClass) state.classBegin[kind + 1]++;
  for (let kind = 0; kind < classCount; kind++) state.classBegin[kind + 1] += state.classBegin[kind];
  const takesPart = new Uint8Array(shiftCount).fill(part === null ? 1 : 0);
  for (const shift of part?.shifts ?? []) takesPart[shift] = 1;
  for (let slot = 0; slot < slots; slot++) {
    prepareSlot(state, slot);
    if (takesPart[compiled.slotShift[slot]] === 1) markEmpty(state, slot);
  }
  return state;
}

/** Who may take over in each shift. */
function takersOf(compiled: Compiled): Set<number>[] {
  const takers = Array.from({ length: compiled.shiftCount }, () => new Set<number>());
  for (let task = 0; task < compiled.taskCount; task++) {
    if (compiled.handoverTo[task] === NONE) continue;
    for (let shift = 0; shift < compiled.shiftCount; shift++) if (isAllowed(compiled, task, shift)) takers[shift].add(compiled.handoverTo[task]);
  }
  return takers;
}

/**
 * Rest binds two shifts of one driver only where the later one opens, or the earlier one closes, before it is over: at most hours, other shifts
 * need not be looked at. Never in a shift in which somebody may take over.
 */
function calmHours(compiled: Compiled, takers: Set<number>[]): { calmUntil: Float64Array; calmFrom: Float64Array } {
  const { shiftCount, componentCount, componentBegin, event, driver, fixedDriver, fixedStart, fixedEnd, restSeconds } = compiled;
  const calmUntil = new Float64Array(shiftCount).fill(-Infinity);
  const calmFrom = new Float64Array(shiftCount).fill(Infinity);
  const mayDrive = (who: number, id: number) => (id >= 0 ? driver[id] === who || takers[id].has(who) : fixedDriver[-1 - id] === who);
  const opens = (id: number) => (id >= 0 ? openingOf(compiled, id) : fixedStart[-1 - id]);
  const closes = (id: number) => (id >= 0 ? closingOf(compiled, id) : fixedEnd[-1 - id]);
  for (let component = 0; component < componentCount; component++) {
    const events = Array.from(event.subarray(componentBegin[component], componentBegin[component + 1]));
    events.forEach((shift, i) => {
      if (shift < 0 || takers[shift].size > 0) return;
      const isSame = (id: number) => mayDrive(driver[shift], id);
      calmUntil[shift] = Math.min(Infinity, ...events.slice(i + 1).filter(isSame).map(opens)) - restSeconds;
      calmFrom[shift] = Math.max(-Infinity, ...events.slice(0, i).filter(isSame).map(closes)) + restSeconds;
    });
  }
  return { calmUntil, calmFrom };
}

function openingOf({ slotBegin, slotIntervalBegin, intervalStart }: Compiled, shift: number): number {
  return intervalStart[slotIntervalBegin[slotBegin[shift]]];
}

function closingOf({ slotBegin, slotIntervalEnd, intervalEnd }: Compiled, shift: number): number {
  return intervalEnd[slotIntervalEnd[slotBegin[shift + 1] - 1] - 1];
}

function prepareSlot(state: State, slot: number): void {
  const { compiled } = state;
  const shift = compiled.slotShift[slot];
  const start = state.firstStart + slot;
  const end = state.firstEnd + slot;
  state.next[start] = end;
  state.prev[end] = start;
  state.prev[start] = NONE;
  state.next[end] = NONE;
  state.slotOf[start] = slot;
  state.slotOf[end] = slot;
  for (let i = compiled.startBegin[slot]; i < compiled.startBegin[slot + 1]; i++) state.pinShift[compiled.startTask[i]] = shift;
  state.slotOpens[slot] = compiled.intervalStart[compiled.slotIntervalBegin[slot]];
  state.slotIsSimple[slot] = compiled.slotIntervalEnd[slot] - compiled.slotIntervalBegin[slot] === 1 ? 1 : 0;
  state.slotCloses[slot] = compiled.intervalEnd[compiled.slotIntervalEnd[slot] - 1];
  state.place[start] = slotStart(compiled, slot);
  state.place[end] = compiled.endPlace[shift];
  state.slotIsAlone[slot] = compiled.component[shift] === NONE && compiled.isOdd[shift] === 0 ? 1 : 0;
}

/** Puts an unserved task behind `after` in its route. Times are not touched: see `refresh`. */
export function link(state: State, task: number, after: number): void {
  const slot = state.slotOf[after];
  const before = state.next[after];
  state.next[after] = task;
  state.prev[task] = after;
  state.next[task] = before;
  state.prev[before] = task;
  state.slotOf[task] = slot;
  if (state.slotCount[slot]++ === 0) {
    state.sum.usedSlots++;
    markUsed(state, slot);
  }
  state.slotRoom[slot] -= state.compiled.demand[task];
  if (state.compiled.handoverTo[task] !== NONE) state.slotHandovers[slot]++;
  state.slotIsStale[slot] = 1;
  setLeg(state, after, task);
  setLeg(state, task, before);
  markServed(state, task);
  frameShift(state, state.compiled.slotShift[slot]);
}

/** Takes a task out of its route. */
export function unlink(state: State, task: number): void {
  unlinkRun(state, task, 1);
}

/** Takes `count` tasks that follow one another out of their route; only the leg over the whole gap is looked up. */
export function unlinkRun(state: State, first: number, count: number): void {
  const { demand, handoverTo } = state.compiled;
  const slot = state.slotOf[first];
  const after = state.prev[first];
  let node = first;
  for (let i = 0; i < count; i++) {
    state.slotOf[node] = NONE;
    state.slotRoom[slot] += demand[node];
    if (handoverTo[node] !== NONE) state.slotHandovers[slot]--;
    clearLeg(state, node);
    // What is in no route bounds nothing: `findNear` passes over it.
    state.legIn[node] = 0;
    state.legOut[node] = 0;
    markUnserved(state, node);
    node = state.next[node];
  }
  state.next[after] = node;
  state.prev[node] = after;
  state.slotCount[slot] -= count;
  state.slotIsStale[slot] = 1;
  if (state.slotCount[slot] === 0) {
    clearLeg(state, node);
    state.sum.usedSlots--;
    markEmpty(state, slot);
  } else setLeg(state, after, node);
  frameShift(state, state.compiled.slotShift[slot]);
}

/** Two routes, cut behind `a` and behind `b`, go on with the rest of one another. Times are not touched, nor are odd shifts allowed. */
export function exchangeTails(state: State, a: number, b: number): void {
  const { next, prev, slotOf, firstEnd } = state;
  const [one, other] = [slotOf[a], slotOf[b]];
  const [endOne, endOther] = [firstEnd + one, firstEnd + other];
  const [firstA, lastA, firstB, lastB] = [next[a], prev[endOne], next[b], prev[endOther]];
  moveTail(state, firstA, other);
  moveTail(state, firstB, one);
  hang(state, a, firstB === endOther ? NONE : firstB, lastB, endOne);
  hang(state, b, firstA === endOne ? NONE : firstA, lastA, endOther);
}

/** Counts everything from `first` on in another slot. */
function moveTail(state: State, first: number, slot: number): void {
  const { next, slotOf, slotCount, slotRoom, compiled: { demand } } = state;
  const from = slotOf[first];
  let load = 0;
  let count = 0;
  for (let node = first; node < state.firstStart; node = next[node]) {
    slotOf[node] = slot;
    load += demand[node];
    count++;
  }
  if (count === 0) return;
  slotRoom[from] += load;
  slotRoom[slot] -= load;
  if (slotCount[slot] === 0) {
    state.sum.usedSlots++;
    markUsed(state, slot);
  }
  slotCount[from] -= count;
  slotCount[slot] += count;
  if (slotCount[from] === 0) {
    state.sum.usedSlots--;
    markEmpty(state, from);
  }
}

/** Joins `first` to `last`, or nothing where `first` is NONE, between `after` and the end of its slot. */
function hang(state: State, after: number, first: number, last: number, end: number): void {
  const { next, prev } = state;
  const slot = state.slotOf[end];
  state.slotIsStale[slot] = 1;
  next[after] = first === NONE ? end : first;
  prev[next[after]] = after;
  prev[end] = first === NONE ? after : last;
  next[prev[end]] = end;
  if (state.slotCount[slot] === 0) {
    clearLeg(state, end);
    return;
  }
  setLeg(state, after, next[after]);
  if (first !== NONE) setLeg(state, last, end);
}

/** Larger than the travel of any leg and back. */
export const NO_BOUND = 0x7fffffff;

function setLeg(state: State, from: number, to: number): void {
  const cell = state.compiled.slotMatrix[state.slotOf[to]] + state.place[from] * state.compiled.placeCount + state.place[to];
  const travel = state.travel[cell];
  const other = state.other[cell];
  state.sum.travel += travel - state.legTravel[to];
  state.sum.other += other - state.legOther[to];
  state.legSeconds[to] = state.compiled.seconds[cell];
  state.legTravel[to] = travel;
  state.legOther[to] = other;
  const bound = from < state.firstStart && to < state.firstStart ? travel : NO_BOUND;
  state.legIn[to] = bound;
  state.legOut[from] = bound;
}

export function clearLeg(state: State, to: number): void {
  state.sum.travel -= state.legTravel[to];
  state.sum.other -= state.legOther[to];
  state.legSeconds[to] = 0;
  state.legTravel[to] = 0;
  state.legOther[to] = 0;
}

/**
 * In a shift of several tours the last used one ends at the end place, the others at the warehouse; and a vehicle that is under way
 * with nothing to do before the first gap drives to its warehouse. Where all three places are one this changes nothing.
 */
export function frameShift(state: State, shift: number): void {
  const { compiled, slotCount, prev, place } = state;
  if (compiled.isOdd[shift] === 0) return;
  const first = compiled.slotBegin[shift];
  let lastUsed = compiled.slotBegin[shift + 1] - 1;
  while (lastUsed > first && slotCount[lastUsed] === 0) lastUsed--;
  for (let slot = first; slot < compiled.slotBegin[shift + 1]; slot++) {
    const end = state.firstEnd + slot;
    place[end] = slot >= lastUsed ? compiled.endPlace[shift] : compiled.warehouse[shift];
    const drives = slotCount[slot] > 0 || slot === first && slot < lastUsed && compiled.startPlace[shift] !== compiled.warehouse[shift];
    if (drives) setLeg(state, prev[end], end);
    else clearLeg(state, end);
    state.slotIsStale[slot] = 1;
  }
}

export function markEmpty(state: State, slot: number): void {
  const kind = state.compiled.slotClass[slot];
  const at = state.classBegin[kind] + state.emptyCount[kind]++;
  state.emptyClasses[kind >> 5] |= 1 << (kind & 31);
  state.emptySlots[at] = slot;
  state.emptyAt[slot] = at;
}

export function markUsed(state: State, slot: number): void {
  const { emptySlots, emptyAt } = state;
  const kind = state.compiled.slotClass[slot];
  const last = emptySlots[state.classBegin[kind] + --state.emptyCount[kind]];
  if (state.emptyCount[kind] === 0) state.emptyClasses[kind >> 5] &= ~(1 << (kind & 31));
  emptySlots[emptyAt[slot]] = last;
  emptyAt[last] = emptyAt[slot];
}

export function markUnserved(state: State, task: number): void {
  const { sum, compiled } = state;
  state.unservedAt[task] = sum.unserved;
  state.unserved[sum.unserved++] = task;
  sum.alone += compiled.alone[task];
  if (compiled.flags[task] & (FLAG.isMandatory | FLAG.isPinned)) sum.mandatory++;
  if (compiled.flags[task] & FLAG.isBreak) sum.breaks++;
}

export function markAllServed({ sum, unserved, unservedAt }: State): void {
  for (let i = 0; i < sum.unserved; i++) unservedAt[unserved[i]] = NONE;
  sum.unserved = 0;
  sum.alone = 0;
  sum.mandatory = 0;
  sum.breaks = 0;
}

export function markServed(state: State, task: number): void {
  const { sum, compiled, unserved, unservedAt } = state;
  const last = unserved[--sum.unserved];
  const at = unservedAt[task];
  unserved[at] = last;
  unservedAt[last] = at;
  unservedAt[task] = NONE;
  sum.alone -= compiled.alone[task];
  if (compiled.flags[task] & (FLAG.isMandatory | FLAG.isPinned)) sum.mandatory--;
  if (compiled.flags[task] & FLAG.isBreak) sum.breaks--;
}
