import { ApiError, unavailable } from '../contract/errors.ts';
import { snapshot, type Store } from '../db/store.ts';
import type { JobProgress } from '../jobs/entity.ts';
import { endRun, type Run } from '../jobs/runs.ts';
import { activeNetwork, type RoadNetwork } from '../networks/active-network.ts';
import { travelTable, type TravelTable } from '../networks/travel-table.ts';
import type { Solution } from '../solver/problem.ts';
import { solve, wakeThreads } from '../solver/solve.ts';
import { addDays, startOfDay } from '../time/local-dates.ts';
import type { WorkInterval } from '../time/shifts.ts';
import { assemblePlans, isUnchanged, type PlanDraft } from './assemble-plans.ts';
import { buildProblem, shiftsThatLost, type PlanningProblem } from './build-problem.ts';
import { commitPlans, type Commitment } from './commit-plans.ts';
import { explainUnplanned, type Unplanned } from './explain-unplanned.ts';
import type { PlanningFacts, PlanningRequest, ShiftFacts } from './facts.ts';
import { placesOf } from './places.ts';
import { readFacts } from './read-facts.ts';
import { verifyDrafts } from './verify-drafts.ts';

export interface PlanningContext {
  store: Store;
  run: Run;
  request: PlanningRequest;
  threads: number;
  /** On a SharedArrayBuffer: the first entry becomes one of `wishes` when the run shall end. */
  cancel: Int32Array;
  onProgress: (progress: JobProgress) => void;
}

/** How a run is asked to end: without a trace, or with the best plan so far. */
export const wishes = { drop: 1, finish: 2 } as const;
const isDropped = (cancel: Int32Array): boolean => Atomics.load(cancel, 0) === wishes.drop;

export type PlanningOutcome = 'committed' | 'cancelled' | 'overtaken' | { failed: { code: string; message: string } };

/** What it read may change while it computes; so often it starts again before it gives up. */
const triesMax = 4;

/** Reads, solves, explains, verifies and commits. The plans that stand stay as they are unless everything succeeds. */
export async function runPlanning(context: PlanningContext): Promise<PlanningOutcome> {
  const startedMs = performance.now();
  const elapsedSeconds = () => Math.round(performance.now() - startedMs) / 1_000;
  let best: JobProgress['best'] = null;
  const progress = (fraction: number, phase: string, message: string): JobProgress => ({ fraction, phase, message, elapsed_seconds: elapsedSeconds(), best });
  try {
    for (let attempt = 1; attempt <= triesMax; attempt++) {
      const again = attempt > 1 ? ' again, because records have changed meanwhile' : '';
      const say: Telling['say'] = (fraction, phase, message, found = best) => {
        best = found;
        context.onProgress(progress(fraction, phase, message + again));
      };
      const planned = await computePlans(context, { say, elapsedSeconds });
      if (planned === null) return 'cancelled';
      say(0.97, 'commit', 'writing the plans');
      const outcome = await commitPlans(context, planned, progress(1, 'commit', 'writing the plans'));
      if (outcome !== 'changed') return outcome;
    }
    return { failed: { code: 'conflict', message: 'the records kept changing while the plans were computed; nothing was changed' } };
  } catch (error) {
    if (error instanceof ApiError) return { failed: { code: error.code, message: error.message } };
    throw error;
  }
}

interface Telling {
  say: (fraction: number, phase: string, message: string, best?: JobProgress['best']) => void;
  elapsedSeconds: () => number;
}

/** Null when cancelled. */
async function computePlans(context: PlanningContext, { say, elapsedSeconds }: Telling): Promise<Commitment | null> {
  const { store, run, request, threads, cancel } = context;
  wakeThreads(threads, cancel);
  say(0.01, 'read', 'reading the records');
  const { facts, network } = await snapshot(store, run.businessId, async (em) => {
    const read = await readFacts(em, run.businessId, request);
    return { facts: read, network: await activeNetwork(em, read.business) };
  });
  const horizon = horizonOf(facts, request);
  say(0.03, 'roads', 'computing travel times');
  const table = await travelTimes(facts, network, horizon, cancel);
  if (table === null) return null;
  const solverStartedMs = performance.now();
  const found = await search(context, { facts, network, table, horizon }, { say, elapsedSeconds });
  if (found === null) return null;
  const { planning, solution, unplanned, iterations, isStoppedEarly } = found;
  const solverSeconds = Math.round(performance.now() - solverStartedMs) / 1_000;
  say(0.95, 'verify', 'checking every plan');
  const drafts = assemblePlans(planning, solution, table);
  verifyDrafts(drafts, { facts, request, planning, table });
  return { facts, network, drafts: drafts.filter((draft) => !isUnchanged(draft, draft.shift.plan)), allDrafts: drafts, frozen: planning.frozen, unplanned, metrics: metricsOf(drafts, unplanned, { solverSeconds, iterations }), isStoppedEarly };
}

interface Found {
  planning: PlanningProblem;
  solution: Solution;
  unplanned: Unplanned[];
  iterations: number;
  isStoppedEarly: boolean;
}

interface Frame {
  facts: PlanningFacts;
  network: RoadNetwork;
  table: TravelTable;
  horizon: WorkInterval[];
}

/** Searches again without the shifts in which a lock holds what fits nowhere: they are left alone. Null when cancelled. */
async function search(context: PlanningContext, { network, ...frame }: Frame, telling: Telling): Promise<Found | null> {
  const { request, cancel } = context;
  const leftAlone = new Set<ShiftFacts>();
  for (;;) {
    const planning = buildProblem({ ...frame, request, leftAlone });
    const solved = await solveWithin(context, planning, telling);
    if (isDropped(cancel)) return null;
    telling.say(0.92, 'explain', 'looking for reasons');
    const { solution, unplanned } = await explainUnplanned(planning, solved.solution, { notBeforeMs: frame.facts.asOfMs, network });
    const lost = shiftsThatLost(planning, solution, request);
    if (lost.length === 0) return { planning, solution, unplanned, iterations: solved.iterations, isStoppedEarly: solved.cancelled };
    for (const shift of lost) leftAlone.add(shift);
  }
}

function solveWithin({ request, threads, cancel }: PlanningContext, planning: PlanningProblem, { say, elapsedSeconds }: Telling) {
  const taskCount = planning.problem.tasks.length;
  say(0.1, 'solve', `planning ${taskCount} orders into ${planning.shifts.length} shifts`);
  const budgetMs = request.time_limit_seconds === undefined ? undefined : Math.max(200, request.time_limit_seconds * 1_000 - elapsedSeconds() * 1_000);
  const expectedMs = budgetMs ?? 30_000;
  return solve(planning.problem, {
    seed: request.seed, threads, cancel,
    ...(request.max_iterations === undefined ? {} : { maxIterations: request.max_iterations }),
    ...(budgetMs === undefined ? {} : { timeLimitMs: budgetMs }),
    onProgress: ({ iterations, unserved, travelSeconds, travelMetres, elapsedMs }) => {
      const share = request.max_iterations === undefined ? elapsedMs / expectedMs : iterations / request.max_iterations;
      say(0.1 + 0.8 * Math.min(1, share), 'solve', `${taskCount - unserved} of ${taskCount} orders planned`, { planned: taskCount - unserved, unplanned: unserved, travel_seconds: travelSeconds, travel_meters: travelMetres, iterations });
    },
  });
}

/** Each date that was asked for, from its beginning to the end of the last shift that begins on it. */
function horizonOf({ shifts, business }: PlanningFacts, { dates }: PlanningRequest): WorkInterval[] {
  const endOf = new Map<string, number>();
  for (const { date, intervals } of shifts) endOf.set(date, Math.max(endOf.get(date) ?? 0, intervals[intervals.length - 1].endMs));
  return dates.map((date) => ({
    startMs: startOfDay(date, business.timeZone),
    endMs: Math.max(startOfDay(addDays(date, 1), business.timeZone), endOf.get(date) ?? 0),
  }));
}

async function travelTimes(facts: PlanningFacts, network: RoadNetwork, horizon: WorkInterval[], cancel: Int32Array): Promise<TravelTable | null> {
  const table = await travelTable(network, { vehicles: facts.shifts.map(({ vehicle }) => vehicle), locations: placesOf(facts, horizon) }, cancel);
  if (table === null && Atomics.load(cancel, 0) === 0) throw unavailable('the travel times could not be computed');
  return table;
}

function metricsOf(drafts: PlanDraft[], unplanned: Unplanned[], solver: { solverSeconds: number; iterations: number }) {
  const used = drafts.filter((draft) => draft.stops.length > 0);
  const stops = used.flatMap((draft) => draft.stops);
  const served = stops.filter((stop) => stop.kind !== 'warehouse');
  const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0);
  return {
    planned: served.length,
    unplanned: unplanned.length,
    travel_seconds: sum(stops.map((stop) => stop.travel_seconds)) + sum(used.map((draft) => draft.returnLeg?.travel_seconds ?? 0)),
    travel_meters: sum(stops.map((stop) => stop.travel_meters)) + sum(used.map((draft) => draft.returnLeg?.travel_meters ?? 0)),
    service_seconds: sum(served.map((stop) => (Date.parse(stop.end_at) - Date.parse(stop.start_at)) / 1_000)),
    wait_seconds: sum(stops.map((stop) => stop.wait_seconds)),
    vehicles_used: new Set(used.map((draft) => draft.shift.vehicle.id)).size,
    solver_seconds: solver.solverSeconds,
    iterations: solver.iterations,
  };
}

/** Ends a run that did not commit. */
export async function endWithoutPlans(store: Store, run: Run, outcome: Exclude<PlanningOutcome, 'committed' | 'overtaken'>): Promise<void> {
  await endRun(store, run, outcome === 'cancelled' ? { status: 'cancelled' } : { status: 'failed', error: outcome.failed });
}
