import { NONE } from './problem.ts';
import type { Problem } from './problem.ts';
import { hasTours } from './timing.ts';

/**
 * Slots that look the same to every task while they are empty are one *class*, so that an insertion tries only one of them. What an
 * empty slot costs depends on nothing but where it starts and ends and on its vehicle's matrix: classes of one such *frame* follow one another.
 */
export interface SlotClasses {
  /** Class of each slot. */
  ofSlot: number[];
  count: number;
  frames: Frame[];
}

/** The places of odd shifts are NONE. */
interface Frame {
  start: number;
  end: number;
  matrix: number;
  classBegin: number;
}

/** In an *odd* shift of several tours what one of them costs, and how it begins and ends, depends on the others too. */
export function isOddShift(problem: Problem, index: number): boolean {
  const { startPlace, endPlace, warehouse } = problem.shifts[index];
  return hasTours(problem, index) && (startPlace !== warehouse || endPlace !== warehouse);
}

/** `componentOf` is NONE for shifts that do not depend on any other. */
export function findClasses(problem: Problem, componentOf: number[]): SlotClasses {
  const keys = classKeys(problem, componentOf);
  const frames = new Map<string, Omit<Frame, 'classBegin'> & { classes: Set<string> }>();
  for (const { frame, kind } of keys) {
    const key = JSON.stringify(frame);
    const known = frames.get(key) ?? { ...frame, classes: new Set() };
    known.classes.add(kind);
    frames.set(key, known);
  }
  const numbers = new Map<string, number>();
  const numbered = [...frames.values()].map(({ classes, ...frame }) => {
    const classBegin = numbers.size;
    for (const kind of classes) numbers.set(kind, numbers.size);
    return { ...frame, classBegin };
  });
  return { ofSlot: keys.map(({ kind }) => numbers.get(kind) ?? NONE), count: numbers.size, frames: numbered };
}

/** What each slot is, slot by slot. A shift with drivers who depend on others is like no other. */
function classKeys(problem: Problem, componentOf: number[]): { frame: Omit<Frame, 'classBegin'>; kind: string }[] {
  const restricted = problem.tasks.filter((task) => task.shifts !== null).map((task) => new Set(task.shifts));
  return problem.shifts.flatMap((shift, index) => {
    const { startPlace, endPlace, warehouse, intervals, gap, capacity, matrix = 0 } = shift;
    const isOdd = isOddShift(problem, index);
    const isOwn = componentOf[index] !== NONE || isOdd;
    const looks = isOwn ? '' : JSON.stringify([startPlace, endPlace, warehouse, intervals, gap, capacity, matrix, restricted.map((set) => (set.has(index) ? 1 : 0)).join('')]);
    return Array.from({ length: hasTours(problem, index) ? intervals.length : 1 }, (_, nth) => ({
      frame: isOdd ? { start: NONE, end: NONE, matrix } : { start: nth === 0 ? startPlace : warehouse, end: endPlace, matrix },
      kind: isOwn ? `${index} ${nth}` : `${nth} ${looks}`,
    }));
  });
}
