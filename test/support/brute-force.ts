import { NONE, UNREACHABLE } from '../../core/solver/problem.ts';
import type { Interval, Problem, Solution } from '../../core/solver/problem.ts';

/**
 * The best plan by trying all of them, and the value of a given plan: slow, obvious, and written without a look at the solver's own
 * walk, so that the two can be compared. For up to seven tasks and four shifts.
 */

/** Best first; the first number that differs decides. */
export type Value = number[];

export function bruteForce(problem: Problem): { solution: Solution; value: Value } {
  const options = problem.shifts.map((_, shift) => routesBySet(problem, shift));
  let best: { solution: Solution; value: Value } | null = null;

  /** Chooses a set of tasks for each shift; `chosen` holds the options of the shifts before. */
  function chooseSets(shift: number, taken: number, chosen: Option[][]): void {
    if (shift < problem.shifts.length) {
      for (const [set, routes] of options[shift]) {
        if ((set & taken) === 0) chooseSets(shift + 1, taken | set, [...chosen, routes]);
      }
      return;
    }
    const unserved = problem.tasks.keys().filter((task) => (taken & (1 << task)) === 0).toArray();
    chooseRoutes(chosen, [], unserved);
  }

  /** Chooses an order for each set. Drivers' rest can only make a plan worse than the sum of its routes, which are sorted. */
  function chooseRoutes(sets: Option[][], chosen: Option[], unserved: number[]): void {
    const cheapest = [...chosen, ...sets.slice(chosen.length).map((routes) => routes[0])];
    if (best !== null && compare(valueFrom(problem, unserved, cheapest), best.value) >= 0) return;
    if (chosen.length < sets.length) {
      for (const option of sets[chosen.length]) chooseRoutes(sets, [...chosen, option], unserved);
      return;
    }
    const solution = { routes: chosen.map((option) => option.route), unserved };
    const value = objectiveOf(problem, solution);
    if (value !== null && (best === null || compare(value, best.value) < 0)) best = { solution, value };
  }

  chooseSets(0, 0, []);
  if (best === null) throw new Error('The pinned tasks alone are not feasible.');
  return best;
}

/** The objective as a tuple, smaller is better; null where the plan breaks a rule. */
export function objectiveOf(problem: Problem, solution: Solution): Value | null {
  const named = [...solution.routes.flat(), ...solution.unserved].toSorted((a, b) => a - b);
  if (named.length !== problem.tasks.length || named.some((task, i) => task !== i)) return null;
  if (solution.routes.length !== problem.shifts.length) return null;
  if (solution.routes.some((route, shift) => !isAllowed(problem, shift, route))) return null;
  const plan = schedulePlan(problem, solution.routes);
  return plan === null ? null : valueFrom(problem, solution.unserved, plan);
}

export function compare(a: Value, b: Value): number {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return a[i] - b[i];
  return 0;
}

interface Cost {
  seconds: number;
  metres: number;
}

interface Option extends Cost {
  route: number[];
}

/** When each task of a route is served, and what the route costs. */
export interface Schedule extends Cost {
  starts: number[];
  spans: { driver: number; start: number; end: number }[];
}

function valueFrom(problem: Problem, unserved: number[], routes: Cost[]): Value {
  const sum = { seconds: 0, metres: 0 };
  for (const { seconds, metres } of routes) {
    sum.seconds += seconds;
    sum.metres += metres;
  }
  const travel = sum[problem.metric];
  const other = sum[problem.metric === 'seconds' ? 'metres' : 'seconds'];
  const mandatory = unserved.filter((task) => problem.tasks[task].mandatory).length;
  const breaks = unserved.filter((task) => problem.tasks[task].kind === 'break').length;
  if (problem.objective === 'most_served') return [mandatory, breaks, unserved.length, travel, other];
  const alone = unserved.reduce((total, task) => total + tripAlone(problem, task), 0);
  return [mandatory, breaks, travel + alone, unserved.length, other];
}

function tripAlone(problem: Problem, index: number): number {
  const { place, shifts } = problem.tasks[index];
  const trips = [...problem.shifts.entries()]
    .filter(([shift]) => shifts === null || shifts.includes(shift))
    .map(([shift, { warehouse }]) => [legOf(problem, shift, warehouse, place), legOf(problem, shift, place, warehouse)])
    .filter((legs) => legs.every((leg) => leg !== null))
    .map(([there, back]) => there![problem.metric] + back![problem.metric]);
  return trips.length === 0 ? 0 : Math.min(...trips);
}

/** All feasible routes of a shift, taken by itself, by the set of tasks that they serve; the cheapest of a set comes first. */
function routesBySet(problem: Problem, shift: number): Map<number, Option[]> {
  const bySet = new Map<number, Option[]>();
  function extend(route: number[], set: number): void {
    const schedule = isAllowed(problem, shift, route) ? scheduleRoute(problem, shift, route, { cut: 'least_travel' }) : null;
    if (schedule !== null) {
      const options = bySet.get(set) ?? [];
      bySet.set(set, [...options, { route, seconds: schedule.seconds, metres: schedule.metres }]);
    }
    for (const task of problem.tasks.keys()) {
      if ((set & (1 << task)) === 0) extend([...route, task], set | (1 << task));
    }
  }
  extend([], 0);
  for (const options of bySet.values()) options.sort((a, b) => compareCost(problem, a, b));
  return bySet;
}

/** Who may serve it, and what is pinned: that is in its shift, in the order in which it is there at present. */
function isAllowed(problem: Problem, shift: number, route: number[]): boolean {
  const pinnedHere = problem.shifts[shift].sequence.filter((task) => problem.tasks[task].pinned);
  const pinnedInRoute = route.filter((task) => problem.tasks[task].pinned);
  if (pinnedHere.join() !== pinnedInRoute.join()) return false;
  return route.every((task) => problem.tasks[task].shifts?.includes(shift) ?? true);
}

/**
 * All shifts in the order in which their drivers work through them: by opening, other work before a shift that opens with it. Where
 * the cheapest ways to spread the routes over their intervals leave too little rest, all are served as early as possible.
 */
export function schedulePlan(problem: Problem, routes: number[][]): Schedule[] | null {
  return scheduleAll(problem, routes, 'least_travel') ?? scheduleAll(problem, routes, 'earliest');
}

type CutRule = 'least_travel' | 'earliest';

function scheduleAll(problem: Problem, routes: number[][], cut: CutRule): Schedule[] | null {
  const turns = [
    ...problem.fixedSpans.map((span) => ({ opens: span.start, span, shift: NONE })),
    ...problem.shifts.map((shift, index) => ({ opens: shift.intervals[0].start, span: null, shift: index })),
  ].map((turn, index) => ({ ...turn, index })).sort((a, b) => a.opens - b.opens || a.index - b.index);
  const schedules: Schedule[] = [];
  const done: { driver: number; end: number }[] = [];
  for (const [position, turn] of turns.entries()) {
    if (turn.span !== null) {
      done.push(turn.span);
      continue;
    }
    const later = turns.slice(position).flatMap((one) => (one.span === null ? [] : [one.span]));
    const freeFrom = (driver: number) => Math.max(-Infinity, ...done.filter((span) => span.driver === driver && driver !== NONE).map((span) => span.end + problem.restSeconds));
    const freeUntil = (driver: number) => Math.min(Infinity, ...later.filter((span) => span.driver === driver && driver !== NONE).map((span) => span.start - problem.restSeconds));
    const schedule = scheduleRoute(problem, turn.shift, routes[turn.shift], { cut, freeFrom, freeUntil });
    if (schedule === null || schedule.spans.some((span) => span.end > freeUntil(span.driver))) return null;
    schedules[turn.shift] = schedule;
    done.push(...schedule.spans);
  }
  return schedules;
}

interface Drivers {
  cut: CutRule;
  /** From when on a driver is rested; always, where absent. */
  freeFrom?: (driver: number) => number;
  /** When a driver must have ended. */
  freeUntil?: (driver: number) => number;
}

/** The schedule of one route; of all ways to spread it over the intervals the cheapest or the earliest one. */
export function scheduleRoute(problem: Problem, shiftIndex: number, route: number[], drivers: Drivers): Schedule | null {
  if (route.length === 0) return { seconds: 0, metres: 0, starts: [], spans: [] };
  const shift = problem.shifts[shiftIndex];
  if (shift.gap === 'wait') return walk(problem, shiftIndex, route, drivers, null);
  let best: Schedule | null = null;
  for (const spread of spreads(route.length, shift.intervals.length)) {
    const schedule = walk(problem, shiftIndex, route, drivers, spread);
    if (schedule === null) continue;
    if (drivers.cut === 'earliest') return schedule;
    if (best === null || compareCost(problem, schedule, best) < 0) best = schedule;
  }
  return best;
}

/** Every way to say which interval serves each task, ascending along the route; those that serve early come first. */
function* spreads(count: number, intervals: number, from = 0): Generator<number[]> {
  if (count === 0) yield [];
  else for (let first = from; first < intervals; first++) for (const rest of spreads(count - 1, intervals, first)) yield [first, ...rest];
}

/** Drives a route, everything as early as possible. `spread` says which interval serves which task; null: any of them. */
function walk(problem: Problem, shiftIndex: number, route: number[], drivers: Drivers, spread: number[] | null): Schedule | null {
  const shift = problem.shifts[shiftIndex];
  const { freeFrom = () => -Infinity, freeUntil = () => Infinity } = drivers;
  const cost = { seconds: 0, metres: 0 };
  const starts: number[] = [];
  const spans: Schedule['spans'] = [];
  let at = shift.startPlace;
  let clock = Math.max(shift.intervals[0].start, freeFrom(shift.driver));
  let departure: number | null = null;
  let interval = 0;
  let load = 0;
  let driver = shift.driver;
  let spanStart: number | null = null;

  /** False where no road leads there, or none of the allowed intervals holds the leg. */
  function drive(to: number): boolean {
    const leg = legOf(problem, shiftIndex, at, to);
    if (leg === null) return false;
    const allowed = spread === null ? shift.intervals : [shift.intervals[interval]];
    // A leg of no length is no travel, and may be "driven" in a gap.
    const leaves = leg.seconds === 0 ? clock : earliest(allowed, clock, leg.seconds);
    if (leaves === null) return false;
    departure ??= leaves;
    clock = leaves + leg.seconds;
    at = to;
    cost.seconds += leg.seconds;
    cost.metres += leg.metres;
    return true;
  }

  for (const [position, index] of route.entries()) {
    const task = problem.tasks[index];
    while (spread !== null && interval < spread[position]) {
      if (at !== shift.warehouse && !drive(shift.warehouse)) return null;
      interval++;
      load = 0;
      clock = Math.max(clock, shift.intervals[interval].start);
    }
    load += task.demand ?? 0;
    if (load > (shift.capacity ?? Infinity)) return null;
    if (!drive(task.place)) return null;
    const from = Math.max(clock, task.windowStart, task.handoverTo === NONE ? -Infinity : freeFrom(task.handoverTo));
    const start = earliest(spread === null ? shift.intervals : [shift.intervals[interval]], from, task.duration);
    if (start === null || start + task.duration > task.windowEnd) return null;
    starts.push(start);
    clock = start + task.duration;
    spanStart ??= departure!;
    if (task.handoverTo !== NONE) {
      spans.push({ driver, start: spanStart, end: clock });
      driver = task.handoverTo;
      spanStart = start;
    }
  }
  if (!drive(shift.endPlace) || clock > freeUntil(driver)) return null;
  spans.push({ driver, start: spanStart!, end: clock });
  return { ...cost, starts, spans };
}

/** Each vehicle has its own roads. */
function legOf(problem: Problem, shift: number, from: number, to: number): Cost | null {
  const { size, seconds, metres } = problem.matrices[problem.shifts[shift].matrix ?? 0];
  if (seconds[from * size + to] >= UNREACHABLE) return null;
  return { seconds: seconds[from * size + to], metres: metres[from * size + to] };
}

function earliest(intervals: Interval[], from: number, seconds: number): number | null {
  const starts = intervals.map(({ start, end }) => ({ start: Math.max(start, from), end })).filter(({ start, end }) => start + seconds <= end);
  return starts.length === 0 ? null : Math.min(...starts.map(({ start }) => start));
}

function compareCost(problem: Problem, a: Cost, b: Cost): number {
  const other = problem.metric === 'seconds' ? 'metres' : 'seconds';
  return a[problem.metric] - b[problem.metric] || a[other] - b[other];
}
