import { NONE } from './problem.ts';
import { walkBackward, walkForward, walkStretch } from './slot-times.ts';
import type { State } from './state.ts';

const FAR = 0x7fffffff;

/**
 * Brings all times up to date after `link` and `unlink` in this slot; false where the routes are not feasible (the times are then
 * of no use until a later `refresh` of the same slot succeeds).
 *
 * Most shifts stand alone and only the slot is walked. Where drivers are shared, earliest times run through the whole component in
 * the order of its events and latest times back: a slot is walked again only if it changed or the bound at its end did.
 */
export function refresh(state: State, slot: number): boolean {
  const shift = state.compiled.slotShift[slot];
  const component = state.compiled.component[shift];
  if (component === NONE) return refreshAlone(state, shift);
  state.isSwept[component] = 1;
  if (sweepForward(state, component) && sweepBackward(state, component)) return true;
  markStale(state, component);
  return false;
}

/**
 * The same where only the nodes from `first` to `last` of this slot have new neighbours, and everything else is up to date. Where
 * drivers are shared, the other shifts are looked at only if this one begins or ends at another time, and at one that matters to them.
 */
export function refreshStretch(state: State, slot: number, first: number, last: number): boolean {
  if (state.slotIsAlone[slot] === 1) {
    if (!walkStretch(state, slot, first, last)) return false;
    state.slotIsStale[slot] = 0;
    return true;
  }
  const shift = state.compiled.slotShift[slot];
  if (state.compiled.isOdd[shift] === 1 || state.shiftHandsOver[shift] === 1) return refresh(state, slot);
  const start = state.firstStart + slot;
  const end = state.firstEnd + slot;
  const arrival = state.earliest[end];
  const departure = state.latest[start];
  const wasCalm = isCalm(state, slot);
  if (!wasCalm && state.slotCount[slot] < 2) return refresh(state, slot);
  if (!walkStretch(state, slot, first, last)) return false;
  state.slotIsStale[slot] = 0;
  if (wasCalm && isCalm(state, slot)) return true;
  return state.slotCount[slot] > 1 && state.earliest[end] === arrival && state.latest[start] === departure || refresh(state, slot);
}

/** Does it make no difference to the drivers' other shifts when this slot begins and ends? */
function isCalm(state: State, slot: number): boolean {
  const shift = state.compiled.slotShift[slot];
  return state.earliest[state.firstEnd + slot] <= state.calmUntil[shift] && state.latest[state.firstStart + slot] >= state.calmFrom[shift];
}

function refreshAlone(state: State, shift: number): boolean {
  const { slotBegin } = state.compiled;
  for (let slot = slotBegin[shift]; slot < slotBegin[shift + 1]; slot++) {
    if (state.slotIsStale[slot] === 0) continue;
    state.ready[state.firstStart + slot] = state.slotOpens[slot];
    state.latest[state.firstEnd + slot] = state.slotCloses[slot];
    if (!walkForward(state, slot, noBound) || !walkBackward(state, slot, noBound)) return false;
    state.slotIsStale[slot] = 0;
  }
  return true;
}

/** Shifts that stand alone have no handovers. */
function noBound(): number {
  throw new Error('a handover in a shift without a component');
}

function markStale(state: State, component: number): void {
  const { componentBegin, event, slotBegin } = state.compiled;
  for (let i = componentBegin[component]; i < componentBegin[component + 1]; i++) {
    if (event[i] >= 0) state.slotIsStale.fill(1, slotBegin[event[i]], slotBegin[event[i] + 1]);
  }
}

/** A shift is used if it drives anywhere. */
function isUsed(state: State, shift: number): boolean {
  const { slotBegin } = state.compiled;
  for (let slot = slotBegin[shift]; slot < slotBegin[shift + 1]; slot++) if (state.slotCount[slot] > 0) return true;
  return false;
}

function sweepForward(state: State, component: number): boolean {
  const { compiled, driverReady } = state;
  const { componentBegin, event, restSeconds } = compiled;
  for (let i = componentBegin[component]; i < componentBegin[component + 1]; i++) resetDrivers(state, event[i], driverReady, -FAR);
  for (let i = componentBegin[component]; i < componentBegin[component + 1]; i++) {
    if (event[i] >= 0) {
      if (!forwardShift(state, event[i])) return false;
    } else {
      const span = -1 - event[i];
      const driver = compiled.fixedDriver[span];
      driverReady[driver] = Math.max(driverReady[driver], compiled.fixedEnd[span] + restSeconds);
    }
  }
  return true;
}

function sweepBackward(state: State, component: number): boolean {
  const { compiled, driverUntil } = state;
  const { componentBegin, event, restSeconds } = compiled;
  for (let i = componentBegin[component]; i < componentBegin[component + 1]; i++) resetDrivers(state, event[i], driverUntil, FAR);
  for (let i = componentBegin[component + 1] - 1; i >= componentBegin[component]; i--) {
    if (event[i] >= 0) {
      if (!backwardShift(state, event[i])) return false;
    } else {
      const span = -1 - event[i];
      const driver = compiled.fixedDriver[span];
      driverUntil[driver] = Math.min(driverUntil[driver], compiled.fixedStart[span] - restSeconds);
    }
  }
  return true;
}

/** Every driver that an event may speak of: its own, and those who take over in it. */
function resetDrivers(state: State, event: number, bounds: Float64Array, value: number): void {
  const { compiled, next } = state;
  if (event < 0) {
    bounds[compiled.fixedDriver[-1 - event]] = value;
    return;
  }
  if (compiled.driver[event] !== NONE) bounds[compiled.driver[event]] = value;
  for (let slot = compiled.slotBegin[event]; slot < compiled.slotBegin[event + 1]; slot++) {
    if (state.slotHandovers[slot] === 0) continue;
    const end = state.firstEnd + slot;
    for (let node = next[state.firstStart + slot]; node !== end; node = next[node]) {
      if (compiled.handoverTo[node] !== NONE) bounds[compiled.handoverTo[node]] = value;
    }
  }
}

function forwardShift(state: State, shift: number): boolean {
  const { compiled, driverReady, ready } = state;
  const { slotBegin, handoverTo, restSeconds } = compiled;
  let driver = compiled.driver[shift];
  let pending = 0;
  const takeover = (task: number): number => driverReady[handoverTo[task]];
  let arrival = -FAR;
  for (let slot = slotBegin[shift]; slot < slotBegin[shift + 1]; slot++) {
    const start = state.firstStart + slot;
    const bound = driver === NONE ? -FAR : driverReady[driver];
    const opens = Math.max(state.slotOpens[slot], bound);
    if (state.slotIsStale[slot] === 1 || opens !== ready[start] || state.slotHandovers[slot] > 0) {
      ready[start] = opens;
      state.slotIsStale[slot] = 1;
      if (!walkForward(state, slot, takeover)) return false;
    }
    if (state.slotCount[slot] > 0) arrival = state.earliest[state.firstEnd + slot];
    if (state.slotHandovers[slot] === 0) continue;
    const end = state.firstEnd + slot;
    for (let node = state.next[start]; node !== end; node = state.next[node]) {
      if (handoverTo[node] === NONE) continue;
      state.driverBefore[node] = driver;
      state.pendingDriver[pending] = driver;
      state.pendingTime[pending++] = ready[node];
      driver = handoverTo[node];
    }
  }
  state.lastDriver[shift] = driver;
  if (!isUsed(state, shift)) return true;
  // Only now: parts of one shift need no rest between them.
  for (let i = 0; i < pending; i++) {
    const earlier = state.pendingDriver[i];
    if (earlier !== NONE) driverReady[earlier] = Math.max(driverReady[earlier], state.pendingTime[i] + restSeconds);
  }
  if (driver !== NONE) driverReady[driver] = Math.max(driverReady[driver], arrival + restSeconds);
  return true;
}

function backwardShift(state: State, shift: number): boolean {
  const { compiled, driverUntil, latest } = state;
  const { slotBegin, handoverTo, restSeconds } = compiled;
  let driver = state.lastDriver[shift];
  let pending = 0;
  const handover = (task: number): number => untilOf(state, state.driverBefore[task]);
  let departure = FAR;
  for (let slot = slotBegin[shift + 1] - 1; slot >= slotBegin[shift]; slot--) {
    const end = state.firstEnd + slot;
    const closes = Math.min(state.slotCloses[slot], untilOf(state, driver));
    if (state.slotIsStale[slot] === 1 || closes !== latest[end]) {
      latest[end] = closes;
      if (!walkBackward(state, slot, handover)) return false;
      state.slotIsStale[slot] = 0;
    }
    const start = state.firstStart + slot;
    if (state.slotCount[slot] > 0 || state.legSeconds[end] > 0) departure = latest[start];
    if (state.slotHandovers[slot] === 0) continue;
    for (let node = state.prev[end]; node !== start; node = state.prev[node]) {
      if (handoverTo[node] === NONE) continue;
      state.pendingDriver[pending] = handoverTo[node];
      state.pendingTime[pending++] = latest[node];
      driver = state.driverBefore[node];
    }
  }
  if (!isUsed(state, shift)) return true;
  for (let i = 0; i < pending; i++) {
    const later = state.pendingDriver[i];
    driverUntil[later] = Math.min(driverUntil[later], state.pendingTime[i] - restSeconds);
  }
  if (driver !== NONE) driverUntil[driver] = Math.min(driverUntil[driver], departure - restSeconds);
  return true;
}

function untilOf(state: State, driver: number): number {
  return driver === NONE ? FAR : state.driverUntil[driver];
}
