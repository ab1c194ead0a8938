/**
 * What is to be planned, as plain data: the border between planning and computing.
 *
 * Every number is an integer. Times are seconds since the problem's own origin, lengths are metres, everything else is an index
 * into one of the arrays below. `NONE` stands for "no driver" and "no replacement".
 */

export const NONE = -1;

/** Travel that no road allows. Adding one leg to any time of a problem stays within 32 bits. */
export const UNREACHABLE = 0x3fffffff;

/** Travel of one kind of vehicle between places, row-major: `seconds[from * size + to]`. Seconds obey the triangle inequality. */
export interface Matrix {
  size: number;
  seconds: Int32Array;
  metres: Int32Array;
}

export interface Interval {
  start: number;
  end: number;
}

/** An order to be served: a task, or a break of one vehicle. */
export interface Task {
  kind: 'task' | 'break';
  place: number;
  /** Seconds of service, at least 1. */
  duration: number;
  /** The whole service lies within the window: start >= windowStart and start + duration <= windowEnd. */
  windowStart: number;
  windowEnd: number;
  /** The shifts that may serve it; null where all may. An empty list is an order that nobody may serve. */
  shifts: number[] | null;
  /** It has a place in the present plan and must not lose it: losing one is worse than anything else. */
  mandatory: boolean;
  /** It stays in the shift whose sequence holds it, and in its order among the other pinned tasks there. */
  pinned: boolean;
  /** For a handover break: the driver who takes over; NONE otherwise. */
  handoverTo: number;
  /** Units of load, 0 where absent. The published benchmarks have loads; the product has none yet. */
  demand?: number;
}

/**
 * One vehicle's working time that begins on one date. The vehicle leaves `startPlace` not before the first interval starts and is at
 * `endPlace` before the last one ends. Between two intervals it is off: neither service nor travel spans the gap. With
 * `return_to_warehouse` it spends the gap at `warehouse`; with `wait` it stands at a stop.
 */
export interface Shift {
  vehicle: number;
  driver: number;
  startPlace: number;
  endPlace: number;
  warehouse: number;
  /** Which of the problem's matrices has its vehicle's travel; the first where absent. */
  matrix?: number;
  /** Ascending and disjoint, at least one. */
  intervals: Interval[];
  gap: 'return_to_warehouse' | 'wait';
  /** The tasks that it serves at present, in order: where the search starts from. */
  sequence: number[];
  /** Most load between two visits of the warehouse, unlimited where absent; with `wait` for the whole shift. See `Task.demand`. */
  capacity?: number;
}

/** Work of a driver outside this problem: it can not be moved, and the rest before and after it holds. */
export interface FixedSpan extends Interval {
  driver: number;
}

export interface Problem {
  /** At least one, all between the same places: what is far for a truck, or closed to it, may be near for a car. */
  matrices: Matrix[];
  tasks: Task[];
  shifts: Shift[];
  fixedSpans: FixedSpan[];
  /** Least seconds between two shifts of one driver. Zero still means that they must not overlap. */
  restSeconds: number;
  /** Serve as many as possible and then travel least, or travel least in all: see `core/solver/README.md`. */
  objective: 'most_served' | 'least_travel';
  /** What "travel" counts; the other one breaks ties. */
  metric: 'seconds' | 'metres';
}

/** The travel of a shift's vehicle. */
export function matrixOf({ matrices, shifts }: Problem, shift: number): Matrix {
  return matrices[shifts[shift].matrix ?? 0];
}

/** `routes[shift]` holds task indices in the order of service; every task is in exactly one route or in `unserved`. */
export interface Solution {
  routes: number[][];
  unserved: number[];
}
