import fc from 'fast-check';
import { NONE, UNREACHABLE } from '../../core/solver/problem.ts';
import type { FixedSpan, Interval, Matrix, Problem, Shift, Task } from '../../core/solver/problem.ts';
import { schedulePlan } from './brute-force.ts';

interface Size {
  tasksMax?: number;
  shiftsMax?: number;
  placesMax?: number;
  /** Kinds of vehicles, each with its own travel. */
  matricesMax?: number;
}

/** Length of a day. Days are short, so that windows, hours and rest really bind. */
const day = 1000;
const drivers = 3;

/**
 * Small problems with every feature: several warehouses and days, shifts in several intervals under both gap policies, breaks with
 * and without handover, drivers' rest and other work, pinned and mandatory tasks, load, one-way distances, places that no road
 * reaches or leaves, vehicles to which other roads are long or closed, windows of every width. What the shifts serve at present is
 * always feasible.
 */
export function randomProblem({ tasksMax = 6, shiftsMax = 3, placesMax = 6, matricesMax = 2 }: Size = {}): fc.Arbitrary<Problem> {
  return fc.integer({ min: 2, max: placesMax }).chain((places) => fc.record({
    matrices: fc.array(randomMatrix(places), { minLength: 1, maxLength: matricesMax }),
    shifts: fc.array(randomShift(places), { minLength: 1, maxLength: shiftsMax }),
    drafts: fc.array(randomTask(places), { minLength: 1, maxLength: tasksMax }),
    fixedSpans: fc.array(randomFixedSpan(), { maxLength: 2 }),
    restSeconds: fc.constantFrom(0, 0, 50, 400, 800),
    objective: fc.constantFrom('most_served' as const, 'least_travel' as const),
    metric: fc.constantFrom('seconds' as const, 'metres' as const),
  })).map(({ drafts, ...rest }) => {
    // A value may be used again when another part shrinks, so that what is changed below has to be new.
    const shifts = rest.shifts.map((shift) => ({ ...shift, matrix: shift.matrix! % rest.matrices.length, sequence: [] }));
    return withPresentPlan({ ...rest, shifts, tasks: drafts.map((draft) => taskOf(draft, shifts)) }, drafts);
  });
}

/** Asymmetric seconds that obey the triangle inequality, some roads missing; metres that obey nothing. */
export function randomMatrix(size: number): fc.Arbitrary<Matrix> {
  const road = fc.oneof({ weight: 9, arbitrary: fc.integer({ min: 0, max: 60 }) }, { weight: 1, arbitrary: fc.constant(UNREACHABLE) });
  return fc.record({
    roads: fc.array(road, { minLength: size * size, maxLength: size * size }),
    metres: fc.array(fc.integer({ min: 0, max: 500 }), { minLength: size * size, maxLength: size * size }),
    /** A place without roads to it (0), from it (1) or both (2). */
    cutOff: fc.option(fc.record({ place: fc.nat({ max: size - 1 }), way: fc.nat({ max: 2 }) }), { freq: 4 }),
  }).map(({ roads, metres, cutOff }) => {
    const seconds = Int32Array.from(roads);
    for (let i = 0; i < size; i++) {
      if (cutOff && cutOff.way !== 1) seconds[i * size + cutOff.place] = UNREACHABLE;
      if (cutOff && cutOff.way !== 0) seconds[cutOff.place * size + i] = UNREACHABLE;
    }
    for (let i = 0; i < size; i++) seconds[i * size + i] = 0;
    for (let via = 0; via < size; via++) {
      for (let from = 0; from < size; from++) {
        for (let to = 0; to < size; to++) {
          seconds[from * size + to] = Math.min(seconds[from * size + to], seconds[from * size + via] + seconds[via * size + to]);
        }
      }
    }
    return { size, seconds, metres: Int32Array.from(metres, (length, i) => (seconds[i] >= UNREACHABLE ? UNREACHABLE : i % (size + 1) === 0 ? 0 : length)) };
  });
}

function randomShift(places: number): fc.Arbitrary<Shift> {
  const place = fc.nat({ max: places - 1 });
  return fc.record({
    vehicle: fc.nat({ max: 1 }),
    matrix: fc.nat({ max: 11 }),
    driver: fc.constantFrom(NONE, ...Array(drivers).keys()),
    warehouse: fc.nat({ max: Math.min(1, places - 1) }),
    elsewhere: fc.record({ start: fc.option(place, { freq: 4 }), end: fc.option(place, { freq: 8 }) }),
    dayIndex: fc.nat({ max: 1 }),
    lengths: fc.array(fc.record({ gap: fc.integer({ min: 0, max: 80 }), length: fc.integer({ min: 30, max: 300 }) }), { minLength: 1, maxLength: 3 }),
    gap: fc.constantFrom('wait' as const, 'return_to_warehouse' as const),
    capacity: fc.option(fc.integer({ min: 0, max: 6 }), { freq: 3 }),
  }).map(({ elsewhere, dayIndex, lengths, capacity, ...rest }) => ({
    ...rest,
    startPlace: elsewhere.start ?? rest.warehouse,
    endPlace: elsewhere.end ?? rest.warehouse,
    intervals: intervalsOf(dayIndex * day, lengths),
    sequence: [],
    ...(capacity === null ? {} : { capacity }),
  }));
}

function intervalsOf(opening: number, lengths: { gap: number; length: number }[]): Interval[] {
  const intervals: Interval[] = [];
  let clock = opening;
  for (const { gap, length } of lengths) {
    intervals.push({ start: clock + gap, end: clock + gap + length });
    clock += gap + length;
  }
  return intervals;
}

interface TaskDraft {
  isBreak: boolean;
  place: number;
  duration: number;
  window: { kind: 'open' | 'day' | 'some' | 'exact' | 'short'; start: number; length: number };
  /** Bits of the shifts that may serve it. */
  eligible: number | null;
  vehicle: number;
  handoverTo: number;
  demand: number | null;
  present: { shift: number; mandatory: boolean; pinned: boolean; timeLocked: boolean } | null;
}

function randomTask(places: number): fc.Arbitrary<TaskDraft> {
  return fc.record({
    isBreak: fc.nat({ max: 3 }).map((one) => one === 3),
    place: fc.nat({ max: places - 1 }),
    duration: fc.integer({ min: 1, max: 60 }),
    window: fc.record({ kind: fc.constantFrom('open', 'open', 'day', 'some', 'exact', 'short'), start: fc.integer({ min: -50, max: 2 * day }), length: fc.integer({ min: 0, max: 400 }) }),
    eligible: fc.option(fc.nat({ max: 15 }), { freq: 3 }),
    vehicle: fc.nat({ max: 1 }),
    handoverTo: fc.constantFrom(NONE, ...Array(drivers).keys()),
    demand: fc.option(fc.nat({ max: 4 }), { freq: 2 }),
    present: fc.option(fc.record({ shift: fc.nat({ max: 3 }), mandatory: fc.boolean(), pinned: fc.boolean(), timeLocked: fc.boolean() }), { freq: 2 }),
  });
}

function taskOf(draft: TaskDraft, shifts: Shift[]): Task {
  const { isBreak, place, duration, demand } = draft;
  const eligible = draft.eligible;
  const ofVehicle = (shift: Shift) => shift.vehicle === draft.vehicle;
  const isEligible = (shift: Shift, index: number) => (isBreak ? ofVehicle(shift) : eligible === null || ((eligible >> index) & 1) === 1);
  return {
    kind: isBreak ? 'break' : 'task', place, duration, ...windowOf(draft),
    shifts: !isBreak && eligible === null ? null : shifts.keys().filter((index) => isEligible(shifts[index], index)).toArray(),
    mandatory: false, pinned: false, handoverTo: isBreak ? draft.handoverTo : NONE,
    ...(demand === null ? {} : { demand }),
  };
}

function windowOf({ window: { kind, start, length }, duration }: TaskDraft): { windowStart: number; windowEnd: number } {
  const dayStart = Math.floor(start / day) * day;
  if (kind === 'open') return { windowStart: -100, windowEnd: 3 * day };
  if (kind === 'day') return { windowStart: dayStart, windowEnd: dayStart + day };
  if (kind === 'exact') return { windowStart: start, windowEnd: start + duration };
  if (kind === 'short') return { windowStart: start, windowEnd: start + Math.min(length, duration - 1) };
  return { windowStart: start, windowEnd: start + duration + length };
}

function randomFixedSpan(): fc.Arbitrary<FixedSpan> {
  return fc.record({ driver: fc.nat({ max: drivers - 1 }), start: fc.integer({ min: -200, max: 2 * day }), length: fc.integer({ min: 0, max: 300 }) })
    .map(({ driver, start, length }) => ({ driver, start, end: start + length }));
}

/** Puts into the present plan what the drafts ask for and what fits there, and locks some of it. */
function withPresentPlan(problem: Problem, drafts: TaskDraft[]): Problem {
  drafts.forEach(({ present }, index) => {
    if (present === null) return;
    const shift = present.shift % problem.shifts.length;
    const task = problem.tasks[index];
    if (task.shifts !== null && !task.shifts.includes(shift)) return;
    const { sequence } = problem.shifts[shift];
    sequence.push(index);
    if (schedulePlan(problem, problem.shifts.map((one) => one.sequence)) === null) sequence.pop();
    else Object.assign(task, { mandatory: present.mandatory, pinned: present.pinned });
  });
  const schedules = schedulePlan(problem, problem.shifts.map((shift) => shift.sequence))!;
  problem.shifts.forEach(({ sequence }, shift) => sequence.forEach((index, position) => {
    const task = problem.tasks[index];
    if (!task.pinned || !drafts[index].present!.timeLocked) return;
    task.windowStart = schedules[shift].starts[position];
    task.windowEnd = task.windowStart + task.duration;
  }));
  return problem;
}
