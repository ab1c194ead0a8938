import { createRandom, type Random } from '../../core/solver/random.ts';
import { NONE, UNREACHABLE, type Interval, type Matrix, type Problem, type Shift, type Task } from '../../core/solver/problem.ts';

export interface DispatchSize {
  orders: number;
  vehicles: number;
  days: number;
  seed: number;
  /** Each fifth vehicle takes longer for every leg, and one place in twelve is closed to it. */
  hasTrucks?: boolean;
}

const day = 86_400;
const hour = 3_600;
const sideMetres = 40_000;
const metresPerSecond = 10;

/**
 * A week's work of a fleet, with everything that the product can ask for: depots, split and night shifts under both gap policies,
 * breaks, handovers, rest, stops that are locked in their place and time, work of drivers elsewhere, orders for some vehicles only,
 * vehicles that are under way when planning begins, roads that are slower one way than the other, windows from an hour to the week.
 * The same numbers for the same size and seed, on every machine.
 */
export function dispatchProblem({ orders, vehicles, days, seed, hasTrucks = false }: DispatchSize): Problem {
  const random = createRandom(seed);
  const depots = Math.min(vehicles, 1 + Math.ceil(vehicles / 40));
  const places = layOut(random, { depots, orders, underWay: Math.ceil(vehicles / 10) });
  const matrix = travel(places);
  const matrices = hasTrucks ? [matrix, byTruck(matrix, { firstOrder: depots, orders })] : [matrix];
  const shifts = fleet(random, { vehicles, days, depots, firstUnderWay: depots + orders }).map((shift) => (hasTrucks && shift.vehicle % 5 === 0 ? { ...shift, matrix: 1 } : shift));
  const tasks: Task[] = [];
  for (const [index, shift] of shifts.entries()) if (index % 4 === 0) lockStops(random, { matrix: matrices[shift.matrix ?? 0], shift, index, tasks, placeOfOrder: (nth) => depots + nth });
  const breaks: Task[] = shifts.flatMap((shift, index) => (index % 3 === 0 ? [breakIn(random, shift, { index, handoverTo: index % 30 === 0 ? vehicles + (index / 30) % Math.max(1, Math.floor(vehicles / 10)) : NONE })] : []));
  while (tasks.length < orders) tasks.push(orderAt(random, depots + tasks.length, { days, shifts }));
  const fixedSpans = Array.from({ length: Math.ceil(vehicles / 20) }, (_, nth) => ({ driver: vehicles + nth, start: nth % days * day + 3 * hour, end: nth % days * day + 6 * hour }));
  return { matrices, tasks: [...tasks, ...breaks], shifts, fixedSpans, restSeconds: 10 * hour, objective: 'most_served', metric: 'seconds' };
}

interface Place {
  x: number;
  y: number;
  /** Uphill takes longer: that makes the roads asymmetric, and leaves the triangle inequality alone. */
  height: number;
}

/** Depots first, then a place for each order, most of them in towns, then where vehicles are when it begins. */
function layOut(random: Random, { depots, orders, underWay }: { depots: number; orders: number; underWay: number }): Place[] {
  const anywhere = (): Place => ({ x: random.below(sideMetres), y: random.below(sideMetres), height: random.below(120) });
  const towns = Array.from({ length: 6 }, anywhere);
  const near = ({ x, y }: Place): Place => {
    const spread = () => random.below(6_000) - random.below(6_000);
    return { x: Math.max(0, x + spread()), y: Math.max(0, y + spread()), height: random.below(120) };
  };
  return [
    ...Array.from({ length: depots }, (_, nth) => near(towns[nth % towns.length])),
    ...Array.from({ length: orders }, () => (random.below(4) === 0 ? anywhere() : near(towns[random.below(towns.length)]))),
    ...Array.from({ length: underWay }, anywhere),
  ];
}

function travel(places: readonly Place[]): Matrix {
  const size = places.length;
  const matrix = { size, seconds: new Int32Array(size * size), metres: new Int32Array(size * size) };
  for (const [from, a] of places.entries()) {
    for (const [to, b] of places.entries()) {
      if (from === to) continue;
      const metres = Math.sqrt((a.x - b.x) ** 2 + (a.y - b.y) ** 2);
      matrix.metres[from * size + to] = Math.min(UNREACHABLE, Math.ceil(metres));
      matrix.seconds[from * size + to] = Math.ceil(metres / metresPerSecond) + Math.max(0, b.height - a.height);
    }
  }
  return matrix;
}

/** A quarter slower; places of orders whose number divides by twelve are closed. */
function byTruck({ size, seconds, metres }: Matrix, { firstOrder, orders }: { firstOrder: number; orders: number }): Matrix {
  const isClosed = (place: number) => place >= firstOrder && place < firstOrder + orders && place % 12 === 0;
  const matrix = { size, seconds: seconds.map((each) => Math.ceil(1.25 * each)), metres: metres.slice() };
  for (let from = 0; from < size; from++) {
    for (let to = 0; to < size; to++) {
      if (from === to || !(isClosed(from) || isClosed(to))) continue;
      matrix.seconds[from * size + to] = matrix.metres[from * size + to] = UNREACHABLE;
    }
  }
  return matrix;
}

interface Fleet {
  vehicles: number;
  days: number;
  depots: number;
  firstUnderWay: number;
}

/** A driver for each vehicle; each tenth vehicle is on the road when planning begins. */
function fleet(random: Random, { vehicles, days, depots, firstUnderWay }: Fleet): Shift[] {
  return Array.from({ length: vehicles }, (_, vehicle) => {
    const warehouse = vehicle % depots;
    const rhythm = random.below(5);
    return Array.from({ length: days }, (_day, date): Shift => ({
      vehicle, driver: vehicle, warehouse, endPlace: warehouse,
      startPlace: date === 0 && vehicle % 10 === 9 ? firstUnderWay + Math.floor(vehicle / 10) : warehouse,
      intervals: hoursOf(rhythm).map(({ start, end }) => ({ start: date * day + start, end: date * day + end })),
      gap: vehicle % 2 === 0 ? 'return_to_warehouse' : 'wait',
      sequence: [],
    }));
  }).flat();
}

function hoursOf(rhythm: number): Interval[] {
  if (rhythm === 0) return [{ start: 7 * hour, end: 12 * hour }, { start: 14 * hour, end: 18 * hour }];
  if (rhythm === 1) return [{ start: 16 * hour, end: 25 * hour }];
  return [{ start: 8 * hour, end: 17 * hour }];
}

interface Locking {
  matrix: Matrix;
  shift: Shift;
  index: number;
  tasks: Task[];
  placeOfOrder: (nth: number) => number;
}

/** Up to three stops that have their place and, every other time, their minute, driven from the start of the shift: they fit by construction. */
function lockStops(random: Random, { matrix, shift, index, tasks, placeOfOrder }: Locking): void {
  let at = shift.startPlace;
  let clock = shift.intervals[0].start;
  for (let nth = 0; nth < 3; nth++) {
    const place = placeOfOrder(tasks.length);
    const duration = 600 + 60 * random.below(20);
    const start = clock + matrix.seconds[at * matrix.size + place] + 60 * random.below(40);
    // What is closed to the vehicle is farther than its hours reach.
    const isHome = start + duration + matrix.seconds[place * matrix.size + shift.warehouse] <= shift.intervals[0].end;
    if (!isHome) return;
    const isTimed = random.below(2) === 0;
    tasks.push({
      kind: 'task', place, duration, shifts: [index], mandatory: true, pinned: true, handoverTo: NONE,
      windowStart: isTimed ? start : shift.intervals[0].start, windowEnd: isTimed ? start + duration : shift.intervals[0].end,
    });
    shift.sequence.push(tasks.length - 1);
    [at, clock] = [place, start + duration];
  }
}

function breakIn(random: Random, { intervals, warehouse }: Shift, { index, handoverTo }: { index: number; handoverTo: number }): Task {
  const middle = Math.floor((intervals[0].start + intervals.at(-1)!.end) / 2) - 900;
  return { kind: 'break', place: warehouse, duration: 1_800 + 60 * random.below(15), windowStart: middle - 2 * hour, windowEnd: middle + 3 * hour, shifts: [index], mandatory: false, pinned: false, handoverTo };
}

function orderAt(random: Random, place: number, { days, shifts }: { days: number; shifts: readonly Shift[] }): Task {
  const date = random.below(days);
  const from = date * day + (7 + random.below(11)) * hour;
  const windows = [
    { windowStart: from, windowEnd: from + (1 + random.below(4)) * hour },
    { windowStart: date * day + 7 * hour, windowEnd: date * day + 18 * hour },
    { windowStart: 0, windowEnd: days * day + 2 * hour },
  ];
  const vehicle = random.below(shifts.length / days);
  const isForOne = random.below(20) === 0;
  return {
    kind: 'task', place, duration: 300 + 60 * random.below(30), ...windows[Math.max(0, random.below(5) - 2)],
    shifts: isForOne ? Array.from({ length: days }, (_, nth) => vehicle * days + nth) : null,
    mandatory: false, pinned: false, handoverTo: NONE,
  };
}
