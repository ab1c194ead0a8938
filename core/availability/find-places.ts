import { timePlan } from '../solver/timing-plan.ts';
import { UNREACHABLE, type Problem } from '../solver/problem.ts';
import { pausing } from './pausing.ts';
import type { TimeSpan } from './read-capacity.ts';
import { ask, enter, type NewPlaces, type ShiftRoom } from './shift-room.ts';

/** What is asked for: a service at a place. */
export interface Wanted {
  places: NewPlaces;
  durationSeconds: number;
}

/** Where an order fits: in this shift, at this position among its stops, served from this instant on. */
export interface FoundPlace {
  room: ShiftRoom;
  position: number;
  startMs: number;
}

interface Candidate {
  room: ShiftRoom;
  position: number;
  /** Travel that it adds where nothing else changes; it only says what to try first. */
  added: number;
  isPreferred: boolean;
}

/**
 * For each window the place that adds least travel, of all positions of all shifts; null where there is none. A few additions exclude
 * most positions; what is left is timed exactly, with all that planning looks at, until one fits.
 */
export async function findPlaces(rooms: readonly ShiftRoom[], wanted: Wanted, windows: readonly TimeSpan[], isPreferred: (room: ShiftRoom) => boolean = () => false): Promise<(FoundPlace | null)[]> {
  const candidates: Candidate[][] = windows.map(() => []);
  for (const room of rooms) {
    collect(room, wanted, { windows, candidates, isPreferred: isPreferred(room) });
    await pausing();
  }
  const found: (FoundPlace | null)[] = [];
  for (const [index, window] of windows.entries()) {
    found.push(await firstThatFits(candidates[index], wanted, window));
    await pausing();
  }
  return found;
}

interface Collection {
  windows: readonly TimeSpan[];
  candidates: Candidate[][];
  isPreferred: boolean;
}

function collect(room: ShiftRoom, wanted: Wanted, { windows, candidates, isPreferred }: Collection): void {
  const { slack, planning, newTask, route } = room;
  if (slack === null) return;
  const { problem, originMs } = planning;
  const { intervals } = problem.shifts[0];
  const opensMs = originMs + intervals[0].start * 1_000;
  const closesMs = originMs + intervals[intervals.length - 1].end * 1_000;
  const durationMs = wanted.durationSeconds * 1_000;
  let added: Float64Array | null = null;
  for (const [index, window] of windows.entries()) {
    if (Math.min(window.endMs, closesMs) - Math.max(window.startMs, opensMs) < durationMs) continue;
    if (added === null) {
      enter(room, wanted.places);
      added = addedTravel(room);
    }
    ask(room, { ...window, durationSeconds: wanted.durationSeconds });
    // Late positions first: of equal ones that which disturbs fewer of the present stops.
    for (let position = route.length; position >= 0; position--) {
      if (slack(problem, newTask, position)) candidates[index].push({ room, position, added: added[position], isPreferred });
    }
  }
}

/** By position. */
function addedTravel({ planning: { problem }, route, newPlace }: ShiftRoom): Float64Array {
  const { startPlace, endPlace } = problem.shifts[0];
  const places = [startPlace, ...route.map((task) => problem.tasks[task].place), endPlace];
  return Float64Array.from({ length: route.length + 1 }, (_, position) => {
    const [before, after] = [places[position], places[position + 1]];
    const saved = route.length === 0 ? 0 : travel(problem, before, after);
    return travel(problem, before, newPlace) + travel(problem, newPlace, after) - saved;
  });
}

function travel({ matrices: [{ size, seconds, metres }], metric }: Problem, from: number, to: number): number {
  const cell = from * size + to;
  // A leg that is only driven by way of the warehouse has not been learned; nothing is saved that is not known.
  if (seconds[cell] >= UNREACHABLE) return 0;
  return metric === 'seconds' ? seconds[cell] : metres[cell];
}

async function firstThatFits(candidates: Candidate[], wanted: Wanted, window: TimeSpan): Promise<FoundPlace | null> {
  // Nearly always the best one fits, and thousands need not be sorted for it.
  if (candidates.length === 0) return null;
  const best = candidates.reduce((least, each) => (compare(each, least) < 0 ? each : least));
  const startMs = exactStart(best.room, { position: best.position, wanted, window });
  if (startMs !== null) return { room: best.room, position: best.position, startMs };
  for (const { room, position } of candidates.toSorted(compare).slice(1)) {
    await pausing();
    const at = exactStart(room, { position, wanted, window });
    if (at !== null) return { room, position, startMs: at };
  }
  return null;
}

/** Of equal ones the first that was collected counts: the first vehicle and the last position. */
const compare = (a: Candidate, b: Candidate): number => Number(b.isPreferred) - Number(a.isPreferred) || a.added - b.added;

/** When the service begins at this position; null where it does not fit there after all. */
export function exactStart(room: ShiftRoom, { position, wanted, window }: { position: number; wanted: Wanted; window: TimeSpan }): number | null {
  enter(room, wanted.places);
  ask(room, { ...window, durationSeconds: wanted.durationSeconds });
  const { problem, originMs } = room.planning;
  const timings = timePlan(problem, [room.route.toSpliced(position, 0, room.newTask)]);
  if (timings === null) return null;
  const visit = timings[0].visits.find(({ task }) => task === room.newTask)!;
  return originMs + visit.start * 1_000;
}
