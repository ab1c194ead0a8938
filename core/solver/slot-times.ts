import type { State } from './state.ts';

/**
 * Earliest times along one slot, from `ready` of its start sentinel on; false where something comes too late for its window or
 * its hours. Takeover bounds of handover breaks come from `state.driverReady` (see `refresh`).
 */
export function walkForward(state: State, slot: number, takeover: (task: number) => number): boolean {
  const { next, legSeconds, windowStart, windowLatest, duration, earliest, ready, compiled } = state;
  const { handoverTo } = compiled;
  const hasHandover = state.slotHandovers[slot] > 0;
  const isSimple = state.slotIsSimple[slot] === 1;
  const start = state.firstStart + slot;
  const end = state.firstEnd + slot;
  let time = ready[start];
  for (let node = next[start]; node !== end; node = next[node]) {
    let at = isSimple ? time + legSeconds[node] : arrive(state, slot, time, legSeconds[node]);
    if (at < windowStart[node]) at = windowStart[node];
    if (hasHandover && handoverTo[node] >= 0) at = Math.max(at, takeover(node));
    if (!isSimple) at = fitInSlot(state, slot, at, duration[node]);
    if (at > windowLatest[node]) return false;
    earliest[node] = at;
    time = at + duration[node];
    ready[node] = time;
  }
  const back = isSimple ? time + legSeconds[end] : arrive(state, slot, time, legSeconds[end]);
  if (back > state.slotCloses[slot] && state.slotCount[slot] + legSeconds[end] > 0) return false;
  earliest[end] = back;
  ready[end] = back;
  return true;
}

/** Latest times along one slot, from `latest` of its end sentinel back; false where they contradict the earliest ones. */
export function walkBackward(state: State, slot: number, handover: (task: number) => number): boolean {
  const { prev, legSeconds, windowStart, windowLatest, duration, earliest, latest, ready, compiled } = state;
  const { handoverTo } = compiled;
  const hasHandover = state.slotHandovers[slot] > 0;
  const isSimple = state.slotIsSimple[slot] === 1;
  const start = state.firstStart + slot;
  const end = state.firstEnd + slot;
  const drives = state.slotCount[slot] + legSeconds[end] > 0;
  if (drives && latest[end] < earliest[end]) return false;
  let time = latest[end];
  let leg = legSeconds[end];
  for (let node = prev[end]; node !== start; node = prev[node]) {
    let until = isSimple ? time - leg : leaveBackFrom(state, slot, time, leg);
    if (until > windowLatest[node] + duration[node]) until = windowLatest[node] + duration[node];
    if (hasHandover && handoverTo[node] >= 0) until = Math.min(until, handover(node));
    const at = isSimple ? until - duration[node] : fitBackInSlot(state, slot, until, duration[node]);
    if (at < earliest[node] || at < windowStart[node]) return false;
    latest[node] = at;
    time = at;
    leg = legSeconds[node];
  }
  latest[start] = isSimple ? time - leg : leaveBackFrom(state, slot, time, leg);
  return !drives || latest[start] >= ready[start];
}

/**
 * The same for a slot without handovers, where only the nodes from `first` to `last` have new neighbours and the bounds at its ends
 * hold: both walks end as soon as nothing changes any more. False where something comes too late; the times are then of no use.
 */
export function walkStretch(state: State, slot: number, first: number, last: number): boolean {
  const { next, prev, legSeconds, windowStart, windowLatest, duration, earliest, ready, latest } = state;
  const isSimple = state.slotIsSimple[slot] === 1;
  const start = state.firstStart + slot;
  const end = state.firstEnd + slot;
  let node = first === start ? next[start] : first;
  let time = ready[prev[node]];
  let isPast = false;
  for (; node !== end; node = next[node]) {
    let at = isSimple ? time + legSeconds[node] : arrive(state, slot, time, legSeconds[node]);
    if (at < windowStart[node]) at = windowStart[node];
    if (!isSimple) at = fitInSlot(state, slot, at, duration[node]);
    if (isPast && at === earliest[node]) break;
    if (at > (isPast ? latest[node] : windowLatest[node])) return false;
    earliest[node] = at;
    time = at + duration[node];
    ready[node] = time;
    if (node === last) isPast = true;
  }
  if (node === end) {
    const back = isSimple ? time + legSeconds[end] : arrive(state, slot, time, legSeconds[end]);
    if (back > latest[end] && state.slotCount[slot] + legSeconds[end] > 0) return false;
    earliest[end] = back;
    ready[end] = back;
  }
  node = last === end ? prev[end] : last;
  time = latest[next[node]];
  let leg = legSeconds[next[node]];
  isPast = false;
  for (; node !== start; node = prev[node]) {
    let until = isSimple ? time - leg : leaveBackFrom(state, slot, time, leg);
    if (until > windowLatest[node] + duration[node]) until = windowLatest[node] + duration[node];
    const at = isSimple ? until - duration[node] : fitBackInSlot(state, slot, until, duration[node]);
    if (isPast && at === latest[node]) return true;
    if (at < earliest[node]) return false;
    latest[node] = at;
    time = at;
    leg = legSeconds[node];
    if (node === first) isPast = true;
  }
  latest[start] = isSimple ? time - leg : leaveBackFrom(state, slot, time, leg);
  return state.slotCount[slot] + legSeconds[end] === 0 || latest[start] >= ready[start];
}

/** When a leg of `seconds` that may be begun at `from` is over; later than any time where it fits no interval. */
export function arrive(state: State, slot: number, from: number, seconds: number): number {
  return seconds === 0 ? from : fitInSlot(state, slot, from, seconds) + seconds;
}

/** The working calendar of a slot: the earliest start of something that takes `seconds`, as `fit` says it in `intervals.ts`. */
export function fitInSlot(state: State, slot: number, from: number, seconds: number): number {
  const { slotIntervalBegin, slotIntervalEnd, intervalStart, intervalEnd } = state.compiled;
  for (let i = slotIntervalBegin[slot]; i < slotIntervalEnd[slot]; i++) {
    const start = from > intervalStart[i] ? from : intervalStart[i];
    if (start + seconds <= intervalEnd[i]) return start;
  }
  return 0x7fffffff;
}

function fitBackInSlot(state: State, slot: number, until: number, seconds: number): number {
  const { slotIntervalBegin, slotIntervalEnd, intervalStart, intervalEnd } = state.compiled;
  for (let i = slotIntervalEnd[slot] - 1; i >= slotIntervalBegin[slot]; i--) {
    const start = (until < intervalEnd[i] ? until : intervalEnd[i]) - seconds;
    if (start >= intervalStart[i]) return start;
  }
  return -0x7fffffff;
}

function leaveBackFrom(state: State, slot: number, until: number, seconds: number): number {
  return seconds === 0 ? until : fitBackInSlot(state, slot, until, seconds);
}
