import type { Problem } from '../solver/problem.ts';
import { timePlan } from '../solver/timing-plan.ts';
import { timeRoute } from '../solver/timing.ts';
import { relatedProblem, relatedShifts } from './related-shifts.ts';
import type { RelatedShifts } from './related-shifts.ts';
import { measureSlack } from './slack.ts';
import type { Slack } from './slack.ts';

/** A plan into which orders are inserted on trial. What is computed about its routes is remembered here. */
export interface Draft {
  problem: Problem;
  routes: number[][];
  slacks: Map<number, Slack | null>;
  related: Map<string, RelatedShifts>;
  travels: Map<RelatedShifts, Travel | null>;
}

export interface Travel {
  seconds: number;
  metres: number;
}

export interface Insertion extends Travel {
  shift: number;
  position: number;
}

export function draftOf(problem: Problem, routes: number[][]): Draft {
  return { problem, routes, slacks: new Map(), related: new Map(), travels: new Map() };
}

/** The cheapest position in a shift, the first of equal ones; null where the task fits nowhere in it. The figures are what it adds. */
export function cheapestInsertion(draft: Draft, task: number, shift: number): Insertion | null {
  let best: Insertion | null = null;
  for (const found of insertions(draft, task, shift)) {
    if (best === null || compareTravel(draft.problem, found, best) < 0) best = found;
  }
  return best;
}

/** Every position of a shift in which the task fits, drivers' rest included, and what it adds to the travel of the plan. */
export function* insertions(draft: Draft, task: number, shift: number): Generator<Insertion> {
  const slack = slackOf(draft, shift);
  if (slack === null) return;
  const route = draft.routes[shift];
  for (let position = 0; position <= route.length; position++) {
    if (!slack(draft.problem, task, position)) continue;
    const added = addedTravel(draft, task, { shift, route: route.toSpliced(position, 0, task) });
    if (added !== null) yield { shift, position, ...added };
  }
}

export function compareTravel(problem: Problem, a: Travel, b: Travel): number {
  const other = problem.metric === 'seconds' ? 'metres' : 'seconds';
  return a[problem.metric] - b[problem.metric] || a[other] - b[other];
}

function slackOf(draft: Draft, shift: number): Slack | null {
  let slack = draft.slacks.get(shift);
  if (slack === undefined) {
    slack = measureSlack(draft.problem, shift, draft.routes[shift]);
    draft.slacks.set(shift, slack);
  }
  return slack;
}

/** What the plan travels more with the longer route, in the exact walk; null where it is not feasible. */
function addedTravel(draft: Draft, task: number, { shift, route }: { shift: number; route: number[] }): Travel | null {
  const byItself = timeRoute(draft.problem, shift, route);
  if (byItself === null) return null;
  const related = relatedTo(draft, task, shift);
  const before = travelOf(draft, related);
  if (before === null) return null;
  const isAlone = related.shifts.length === 1 && related.fixedSpans.length === 0;
  const after = isAlone ? byItself : timeTogether(draft.problem, related, related.shifts.map((other) => (other === shift ? route : draft.routes[other])));
  return after === null ? null : { seconds: after.seconds - before.seconds, metres: after.metres - before.metres };
}

function relatedTo(draft: Draft, task: number, shift: number): RelatedShifts {
  const key = `${shift} ${draft.problem.tasks[task].handoverTo}`;
  let related = draft.related.get(key);
  if (related === undefined) {
    related = relatedShifts(draft.problem, draft.routes, { shift, extra: task });
    draft.related.set(key, related);
  }
  return related;
}

function travelOf(draft: Draft, related: RelatedShifts): Travel | null {
  let travel = draft.travels.get(related);
  if (travel === undefined) {
    travel = timeTogether(draft.problem, related, related.shifts.map((shift) => draft.routes[shift]));
    draft.travels.set(related, travel);
  }
  return travel;
}

function timeTogether(problem: Problem, related: RelatedShifts, routes: number[][]): Travel | null {
  const timings = timePlan(relatedProblem(problem, related), routes);
  if (timings === null) return null;
  return { seconds: timings.reduce((sum, one) => sum + one.seconds, 0), metres: timings.reduce((sum, one) => sum + one.metres, 0) };
}
