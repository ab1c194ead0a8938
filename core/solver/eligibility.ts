import { FLAG, slotStart } from './compiled.ts';
import type { Compiled } from './compiled.ts';
import { NONE } from './problem.ts';
import type { State } from './state.ts';

/** May this task be in this slot at all: shift, load and hours, whatever else is in it? What it does not fit alone it fits even less with others. */
export function mayServe({ compiled: { demand, fits, fitWords, slotClass }, slotRoom }: State, task: number, slot: number): boolean {
  const kind = slotClass[slot];
  return (fits[task * fitWords + (kind >> 5)] >>> (kind & 31) & 1) === 1 && demand[task] <= slotRoom[slot];
}

export function isAllowed({ flags, allowed, allowedWords }: Compiled, task: number, shift: number): boolean {
  return (flags[task] & FLAG.isRestricted) === 0 || (allowed[task * allowedWords + (shift >> 5)] >>> (shift & 31) & 1) === 1;
}

/** May it go from one shift to another at all? A handover may not either: it changes who drives behind it. */
export function mayChangeShift({ flags, handoverTo }: Compiled, task: number): boolean {
  return (flags[task] & (FLAG.isPinned | FLAG.isFixed)) === 0 && handoverTo[task] === NONE;
}

/** May it be in this slot while nothing else is? Gaps and other shifts are not looked at: they only forbid more. */
export function mayFit(compiled: Compiled, task: number, slot: number): boolean {
  const { slotShift, slotCapacity, demand, duration, windowStart, windowEnd, intervalStart, intervalEnd, slotIntervalBegin, slotIntervalEnd } = compiled;
  if (!isAllowed(compiled, task, slotShift[slot]) || demand[task] > slotCapacity[slot]) return false;
  const { seconds, placeCount: size, taskPlace, endPlace, warehouse } = compiled;
  const shift = slotShift[slot];
  const here = taskPlace[task];
  const base = compiled.slotMatrix[slot];
  const there = seconds[base + slotStart(compiled, slot) * size + here];
  const back = Math.min(seconds[base + here * size + endPlace[shift]], seconds[base + here * size + warehouse[shift]]);
  const at = Math.max(intervalStart[slotIntervalBegin[slot]] + there, windowStart[task]);
  return at + duration[task] <= windowEnd[task] && at + duration[task] + back <= intervalEnd[slotIntervalEnd[slot] - 1];
}
