import { allocate, BESIDE_LEG_MAX, BESIDE_USUAL, FEW_TASKS, FLAG, UNBOUNDED } from './compiled.ts';
import type { Compiled } from './compiled.ts';
import { mayFit } from './eligibility.ts';
import { driverOrder } from './driver-order.ts';
import { aloneTrip } from './objective.ts';
import { fillNeighbours } from './neighbours.ts';
import { NONE, UNREACHABLE } from './problem.ts';
import type { Matrix, Problem } from './problem.ts';
import { numberPlaces, renumber } from './place-order.ts';
import { checkProblem } from './problem-check.ts';
import { findClasses, isOddShift } from './slot-classes.ts';
import type { SlotClasses } from './slot-classes.ts';
import { timePlan } from './timing-plan.ts';
import { hasTours } from './timing.ts';

/** Where the next string is removed is looked up among so many. */
const NEAREST_COUNT = 250;
/** Up to this many tasks all others are candidates to stand beside a task, with more the likeliest on either side. */
const FULL_SCAN_TASKS_MAX = 80;
/** More of them are kept than most steps look at (`BESIDE_USUAL`), unless there are so few tasks to place that the search is over soon. */
const BESIDE_MAX = 200;
/**
 * Matrices up to this size, all of them together, are kept turned over too, unless there are so few tasks to place that the search is over before
 * that has paid (`FEW_TASKS`).
 */
const TRANSPOSED_PLACES_MAX = 3000;

/** Checks a problem and lays it out for the search. */
export function compile(problem: Problem): Compiled {
  const compiled = layOut(problem);
  fillNeighbours(compiled);
  return compiled;
}

/** The same without what `fillNeighbours` adds, which takes time that grows with the square of the tasks. */
export function layOut(problem: Problem): Compiled {
  checkProblem(problem);
  const drivers = denseDrivers(problem);
  const components = findComponents(problem);
  const classes = findClasses(problem, components.ofShift);
  const start = startSlots(problem);
  const { length: matrixCount, 0: { size } } = problem.matrices;
  const symmetric = problem.matrices.every(isSymmetric);
  const open = countOpen(problem, start.fits);
  const hasOneMetric = problem.matrices.every(({ seconds, metres }) => seconds.every((value, cell) => value === metres[cell]));
  const compiled = allocate({
    taskCount: problem.tasks.length,
    shiftCount: problem.shifts.length,
    slotCount: start.slots.length,
    intervalCount: problem.shifts.reduce((sum, shift) => sum + shift.intervals.length, 0),
    placeCount: size,
    driverCount: drivers.size,
    componentCount: components.events.length,
    eventCount: components.events.reduce((sum, events) => sum + events.length, 0),
    startCount: start.slots.reduce((sum, tasks) => sum + tasks.length, 0),
    restSeconds: problem.restSeconds,
    countsServedFirst: problem.objective === 'most_served' ? 1 : 0,
    metricIsMetres: problem.metric === 'metres' ? 1 : 0,
    startFits: start.fits ? 1 : 0,
    allowedWords: Math.ceil(problem.shifts.length / 32),
    fixedSpanCount: problem.fixedSpans.length,
    transposedPlaces: symmetric || matrixCount * size ** 2 > TRANSPOSED_PLACES_MAX ** 2 || open <= FEW_TASKS ? 0 : size,
    isSymmetric: symmetric ? 1 : 0,
    nearestCount: Math.min(NEAREST_COUNT, Math.max(0, problem.tasks.length - 1)),
    besideCount: countBeside(problem.tasks.length, open),
    matrixCount,
    classCount: classes.count,
    fitWords: Math.ceil(classes.count / 32),
    frameCount: classes.frames.length,
    hasOneMetric: hasOneMetric ? 1 : 0,
    besideShift: Math.max(0, Math.ceil(Math.log2((longestLeg(problem) + 1) / (BESIDE_LEG_MAX + 1)))),
  });
  // Where the search is over soon, the order is not worth its time.
  const numbers = open > FEW_TASKS ? numberPlaces(problem.matrices[0]) : Int32Array.from({ length: size }, (_, place) => place);
  problem.matrices.forEach(({ seconds, metres }, i) => {
    renumber(seconds, compiled.seconds.subarray(i * size ** 2), numbers);
    if (!hasOneMetric) renumber(metres, compiled.metres.subarray(i * size ** 2), numbers);
  });
  writeTasks(compiled, problem, drivers, numbers);
  writeShifts(compiled, problem, drivers, numbers);
  writeComponents(compiled, problem, components, drivers);
  writeStart(compiled, start.slots);
  writeClasses(compiled, classes, numbers);
  markHopeless(compiled);
  if (start.fits) markFixed(compiled);
  return compiled;
}

/** Tasks that may yet be placed anywhere: at most, since hours are not looked at. */
function countOpen({ tasks }: Problem, startFits: boolean): number {
  return tasks.filter(({ pinned, shifts }) => !(pinned && startFits) && shifts?.length !== 0).length;
}

function countBeside(tasks: number, open: number): number {
  if (tasks <= FULL_SCAN_TASKS_MAX) return 0;
  return open > FEW_TASKS ? Math.min(BESIDE_MAX, tasks - 1) : BESIDE_USUAL;
}

function isSymmetric({ size, seconds, metres }: Matrix): boolean {
  for (let from = 0; from < size; from++) {
    for (let to = 0; to < from; to++) {
      if (seconds[from * size + to] !== seconds[to * size + from] || metres[from * size + to] !== metres[to * size + from]) return false;
    }
  }
  return true;
}

/** The longest travel that there is a road for. */
function longestLeg({ matrices, metric }: Problem): number {
  let longest = 0;
  for (const matrix of matrices) for (const leg of matrix[metric]) if (leg < UNREACHABLE && leg > longest) longest = leg;
  return longest;
}

function writeTasks(compiled: Compiled, problem: Problem, drivers: Map<number, number>, numbers: Int32Array): void {
  problem.tasks.forEach((task, i) => {
    compiled.taskPlace[i] = numbers[task.place];
    compiled.duration[i] = task.duration;
    compiled.windowStart[i] = task.windowStart;
    compiled.windowEnd[i] = task.windowEnd;
    compiled.flags[i] = (task.kind === 'break' ? FLAG.isBreak : 0) + (task.mandatory ? FLAG.isMandatory : 0)
      + (task.pinned ? FLAG.isPinned : 0) + (task.shifts === null ? 0 : FLAG.isRestricted);
    compiled.handoverTo[i] = drivers.get(task.handoverTo) ?? NONE;
    compiled.demand[i] = task.demand ?? 0;
    compiled.alone[i] = aloneTrip(problem, i);
    const words = compiled.allowed.subarray(i * compiled.allowedWords, (i + 1) * compiled.allowedWords);
    if (task.shifts === null) words.fill(-1);
    else for (const shift of task.shifts) words[shift >> 5] |= 1 << (shift & 31);
  });
}

function writeShifts(compiled: Compiled, problem: Problem, drivers: Map<number, number>, numbers: Int32Array): void {
  let slot = 0;
  let interval = 0;
  problem.shifts.forEach((shift, i) => {
    compiled.driver[i] = drivers.get(shift.driver) ?? NONE;
    compiled.startPlace[i] = numbers[shift.startPlace];
    compiled.endPlace[i] = numbers[shift.endPlace];
    compiled.warehouse[i] = numbers[shift.warehouse];
    compiled.isOdd[i] = isOddShift(problem, i) ? 1 : 0;
    const perSlot = hasTours(problem, i) ? 1 : shift.intervals.length;
    for (let k = 0; k < shift.intervals.length; k += perSlot) {
      compiled.slotShift[slot] = i;
      compiled.slotIntervalBegin[slot] = interval + k;
      compiled.slotIntervalEnd[slot] = interval + k + perSlot;
      compiled.slotCapacity[slot] = shift.capacity ?? UNBOUNDED;
      compiled.slotMatrix[slot] = (shift.matrix ?? 0) * compiled.placeCount ** 2;
      slot++;
    }
    compiled.slotBegin[i + 1] = slot;
    for (const { start, end } of shift.intervals) {
      compiled.intervalStart[interval] = start;
      compiled.intervalEnd[interval] = end;
      interval++;
    }
  });
}

/** Drivers may have any numbers; inside they are counted from 0. */
function denseDrivers(problem: Problem): Map<number, number> {
  const ids = new Set([
    ...problem.shifts.map((shift) => shift.driver),
    ...problem.tasks.map((task) => task.handoverTo),
    ...problem.fixedSpans.map((span) => span.driver),
  ]);
  ids.delete(NONE);
  return new Map([...ids].toSorted((a, b) => a - b).map((id, i) => [id, i]));
}

interface Components {
  ofShift: number[];
  /** Shift indices, or -1 - index of a fixed span. */
  events: number[][];
}

/** Shifts that share a driver, or may come to share one by a handover, belong together. */
function findComponents(problem: Problem): Components {
  const leader = new Map<number, number>();
  const find = (driver: number): number => {
    const up = leader.get(driver) ?? driver;
    return up === driver ? driver : find(up);
  };
  const ownKey = (shift: number) => (problem.shifts[shift].driver === NONE ? -1 - shift : problem.shifts[shift].driver);
  for (const task of problem.tasks) {
    if (task.handoverTo === NONE) continue;
    for (const shift of task.shifts ?? problem.shifts.keys()) leader.set(find(ownKey(shift)), find(task.handoverTo));
  }
  const eventsOf = new Map<number, number[]>();
  for (const event of driverOrder(problem)) {
    const key = find(event.shift === NONE ? problem.fixedSpans[event.fixedSpan].driver : ownKey(event.shift));
    const events = eventsOf.get(key) ?? [];
    eventsOf.set(key, [...events, event.shift === NONE ? -1 - event.fixedSpan : event.shift]);
  }
  const hasHandover = new Set(problem.tasks.filter((task) => task.handoverTo !== NONE).map((task) => find(task.handoverTo)));
  const ofShift = problem.shifts.map(() => NONE);
  const kept: number[][] = [];
  for (const [key, events] of eventsOf) {
    if (events.length === 1 && !hasHandover.has(key)) continue;
    for (const event of events) if (event >= 0) ofShift[event] = kept.length;
    kept.push(events);
  }
  return { ofShift, events: kept };
}

function writeComponents(compiled: Compiled, problem: Problem, components: Components, drivers: Map<number, number>): void {
  compiled.component.set(components.ofShift);
  compiled.event.set(components.events.flat());
  components.events.forEach((events, i) => {
    compiled.componentBegin[i + 1] = compiled.componentBegin[i] + events.length;
  });
  problem.fixedSpans.forEach((span, i) => {
    compiled.fixedDriver[i] = drivers.get(span.driver) ?? NONE;
    compiled.fixedStart[i] = span.start;
    compiled.fixedEnd[i] = span.end;
  });
}

/** The present plan by slots if it is feasible; otherwise each shift's sequence in its first slot, for `repair` to make what it can of it. */
function startSlots(problem: Problem): { fits: boolean; slots: number[][] } {
  const routes = problem.shifts.map((shift) => shift.sequence);
  const isEligible = routes.every((route, shift) => route.every((task) => problem.tasks[task].shifts?.includes(shift) ?? true));
  const timings = isEligible ? timePlan(problem, routes) : null;
  const slots: number[][] = [];
  problem.shifts.forEach((shift, i) => {
    const parts: number[][] = hasTours(problem, i) ? shift.intervals.map(() => []) : [[]];
    if (timings === null || parts.length === 1) parts[0].push(...shift.sequence);
    else {
      for (const { task, start } of timings[i].visits) {
        if (task !== NONE) parts[shift.intervals.findIndex((interval) => start < interval.end)].push(task);
      }
    }
    slots.push(...parts);
  });
  return { fits: timings !== null, slots };
}

function writeStart(compiled: Compiled, slots: number[][]): void {
  compiled.startTask.set(slots.flat());
  slots.forEach((tasks, slot) => {
    compiled.startBegin[slot + 1] = compiled.startBegin[slot] + tasks.length;
  });
}

function writeClasses(compiled: Compiled, { ofSlot, count, frames }: SlotClasses, numbers: Int32Array): void {
  compiled.slotClass.set(ofSlot);
  frames.forEach(({ start, end, matrix, classBegin }, i) => {
    compiled.frameStart[i] = start === NONE ? NONE : numbers[start];
    compiled.frameEnd[i] = end === NONE ? NONE : numbers[end];
    compiled.frameMatrix[i] = matrix * compiled.placeCount ** 2;
    compiled.frameClassBegin[i] = classBegin;
  });
  compiled.frameClassBegin[frames.length] = count;
}

/** Tasks that no slot can serve, whatever else it serves, are never offered. Gaps and other shifts are not looked at: they only forbid more. */
function markHopeless(compiled: Compiled): void {
  for (let task = 0; task < compiled.taskCount; task++) {
    let slot = 0;
    while (slot < compiled.slotCount && !mayFit(compiled, task, slot)) slot++;
    if (slot === compiled.slotCount) compiled.flags[task] |= FLAG.isHopeless;
  }
}

/**
 * What the search never takes out of its route: pinned tasks that only one slot can serve, and others that are as good as pinned. Where every
 * mandatory task has a place, a mandatory one that can only begin at one moment and only in one slot is there in every plan that is
 * no worse. Not beside pinned ones with time to spare, which could come to stand on its other side.
 */
function markFixed(compiled: Compiled): void {
  const { slotCount, slotShift, slotBegin, startBegin, startTask, flags, duration, windowStart, windowEnd, handoverTo } = compiled;
  const isPlanned = new Uint8Array(compiled.taskCount);
  for (const task of startTask) isPlanned[task] = 1;
  const losesNone = flags.every((flag, task) => (flag & FLAG.isMandatory) === 0 || isPlanned[task] === 1);
  const hasTime = (task: number) => windowEnd[task] - windowStart[task] > duration[task];
  for (let slot = 0; slot < slotCount; slot++) {
    const shift = slotShift[slot];
    const ofShift = startTask.subarray(startBegin[slotBegin[shift]], startBegin[slotBegin[shift + 1]]);
    const holds = losesNone && !ofShift.some((task) => (flags[task] & FLAG.isPinned) !== 0 && hasTime(task));
    for (const task of startTask.subarray(startBegin[slot], startBegin[slot + 1])) {
      const isHeld = holds && (flags[task] & FLAG.isMandatory) !== 0 && !hasTime(task) && handoverTo[task] === NONE;
      if (!isHeld && (flags[task] & FLAG.isPinned) === 0) continue;
      if (fitsOnly(compiled, task, slot, isHeld ? { from: 0, until: slotCount } : { from: slotBegin[shift], until: slotBegin[shift + 1] })) {
        flags[task] |= FLAG.isPinned | FLAG.isFixed;
      }
    }
  }
}

function fitsOnly(compiled: Compiled, task: number, slot: number, { from, until }: { from: number; until: number }): boolean {
  for (let other = from; other < until; other++) if (other !== slot && mayFit(compiled, task, other)) return false;
  return true;
}
