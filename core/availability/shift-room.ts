import type { Location } from '../contract/schemas.ts';
import type { VehicleNetwork } from '../networks/road-network.ts';
import { knownTravel, type KnownTravel } from '../networks/known-travel.ts';
import { recentlyUsed } from '../networks/recently-used.ts';
import type { TravelTable } from '../networks/travel-table.ts';
import { measureSlack, type Slack } from '../oracle/slack.ts';
import { buildProblem, type PlanningProblem } from '../planning/build-problem.ts';
import type { PlanningFacts, PlanningRequest } from '../planning/facts.ts';
import { shiftStart } from '../planning/shift-start.ts';
import type { Reach } from '../roads/reach.ts';
import { UNREACHABLE, type TravelMatrix } from '../roads/travel-matrix.ts';
import { NONE, type Task } from '../solver/problem.ts';
import { formatInstant } from '../time/instants.ts';
import { pausing } from './pausing.ts';
import type { Capacity, OpenShift } from './read-capacity.ts';

export interface Locks {
  scheduleLock: boolean;
  assignmentLock: boolean;
}

/**
 * One shift with its present stops, ready for one order more: a problem of the solver with a place and a task that are written anew
 * for each question. Nothing may be awaited between writing and asking.
 */
export interface ShiftRoom {
  facts: PlanningFacts;
  request: PlanningRequest;
  planning: PlanningProblem;
  table: TravelTable;
  /** The roads of its vehicle. */
  network: VehicleNetwork;
  /** The present stops hold together, so that one more can be asked for. */
  isOpen: boolean;
  /** Task indices of the present stops, in order. */
  route: number[];
  /** Index of the task that is asked for. */
  newTask: number;
  newPlace: number;
  /** That network's number of each place but the new one. */
  nodes: readonly number[];
  slack: Slack | null;
}

const rooms = recentlyUsed<string, ShiftRoom>(2_000);
const roomsPerBatch = 50;

/** A room for each shift. Those that are new need the legs between their stops, which are learned many at a time. */
export async function openRooms({ shifts, network }: Capacity, locks: Locks): Promise<ShiftRoom[]> {
  const found = new Map<OpenShift, ShiftRoom>();
  const keyOf = ({ key }: OpenShift) => `${locks.scheduleLock} ${locks.assignmentLock} ${key}`;
  for (const shift of shifts) {
    const room = rooms.get(keyOf(shift));
    if (room) found.set(shift, room);
  }
  const unknown = shifts.filter((shift) => !found.has(shift));
  const networks = new Map(unknown.map((shift) => [shift, network.for(shift.facts.shifts[0].vehicle)]));
  for (const alike of Map.groupBy(unknown, (shift) => networks.get(shift)!.numbering).values()) {
    for (let from = 0; from < alike.length; from += roomsPerBatch) {
      const some = alike.slice(from, from + roomsPerBatch);
      for (const [shift, room] of await openSome(some, networks.get(some[0])!, locks)) {
        rooms.set(keyOf(shift), room);
        found.set(shift, room);
      }
    }
  }
  return shifts.map((shift) => found.get(shift)!);
}

async function openSome(shifts: OpenShift[], network: VehicleNetwork, locks: Locks): Promise<Map<OpenShift, ShiftRoom>> {
  const travel = knownTravel(network);
  await network.find(shifts.flatMap(({ facts }) => Object.values(locationsOf(facts)).flat()));
  const stations = new Map(shifts.map((shift) => [shift, stationsOf(shift.facts, network)]));
  await travel.learn([...stations.values()].flatMap(({ legs }) => legs));
  const opened = new Map<OpenShift, ShiftRoom>();
  for (const [shift, own] of stations) {
    const home = await network.reach(own.warehouse, own.nodes);
    opened.set(shift, openRoom(shift.facts, { network, travel, home, stations: own, locks }));
    await pausing();
  }
  return opened;
}

interface Stations {
  warehouse: number;
  /** All nodes, each once. */
  nodes: number[];
  /** From stop to stop, in the order of the plan. */
  legs: [number, number][];
}

/** Where the vehicle has been, where it goes on, and where it still goes. */
function locationsOf(facts: PlanningFacts): Record<'past' | 'ahead', Location[]> {
  const [shift] = facts.shifts;
  const start = shiftStart(shift, facts);
  return {
    past: [shift.plan?.origin?.location ?? shift.warehouse.location, ...start.behind.map((stop) => stop.location), start.location],
    ahead: [start.location, ...start.ahead.map((stop) => facts.planned.get(stop.order_id!)!.location), shift.warehouse.location],
  };
}

function stationsOf(facts: PlanningFacts, network: VehicleNetwork): Stations {
  const locations = locationsOf(facts);
  const warehouse = network.placeAt(facts.shifts[0].warehouse.location);
  const [past, ahead] = [locations.past, locations.ahead].map((each) => each.map((location) => network.placeAt(location)));
  const legs = [past, ahead].flatMap((chain) => chain.slice(1).map((node, index): [number, number] => [chain[index], node]));
  return { warehouse, nodes: [...new Set([warehouse, ...past, ...ahead])], legs };
}

interface Surroundings {
  network: VehicleNetwork;
  travel: KnownTravel;
  /** From and to the warehouse. */
  home: Reach;
  stations: Stations;
  locks: Locks;
}

function openRoom(facts: PlanningFacts, { network, travel, home, stations, locks }: Surroundings): ShiftRoom {
  const { nodes, warehouse, legs } = stations;
  const size = nodes.length + 1;
  const newPlace = nodes.length;
  const placeOf = new Map(nodes.map((node, place) => [node, place]));
  // Only the legs that a plan of this shift can have are written: between stops that follow one another, and to and from the warehouse.
  const matrix = { size, seconds: new Int32Array(size * size).fill(UNREACHABLE), metres: new Int32Array(size * size).fill(UNREACHABLE) };
  const write = (from: number, to: number, leg: { seconds: number; metres: number }) => {
    matrix.seconds[from * size + to] = leg.seconds;
    matrix.metres[from * size + to] = leg.metres;
  };
  nodes.forEach((node, place) => {
    write(placeOf.get(warehouse)!, place, { seconds: home.there.seconds[node], metres: home.there.metres[node] });
    write(place, placeOf.get(warehouse)!, { seconds: home.back.seconds[node], metres: home.back.metres[node] });
    write(place, place, { seconds: 0, metres: 0 });
  });
  for (const [from, to] of legs) write(placeOf.get(from)!, placeOf.get(to)!, travel.leg(from, to));
  write(newPlace, newPlace, { seconds: 0, metres: 0 });

  const table: TravelTable = {
    matrices: [matrix],
    matrixOf: () => 0,
    placeOf: (location) => placeOf.get(network.placeAt(location)) ?? newPlace,
    travel(_vehicle, from, to) {
      const seconds = matrix.seconds[from * size + to];
      return seconds >= UNREACHABLE ? null : { seconds, metres: matrix.metres[from * size + to] };
    },
  };
  const request = requestOf(facts, locks);
  const [{ intervals }] = facts.shifts;
  const planning = buildProblem({ facts, request, table, horizon: [{ startMs: intervals[0].startMs, endMs: intervals[intervals.length - 1].endMs }] });
  const { problem } = planning;
  const isOpen = problem.shifts.length === 1;
  const route = isOpen ? problem.shifts[0].sequence : [];
  const newTask = problem.tasks.length;
  problem.tasks.push(noTask(newPlace));
  return { facts, request, planning, table, network, isOpen, route, newTask, newPlace, nodes, slack: isOpen ? measureSlack(problem, 0, route) : null };
}

function requestOf({ business, asOfMs, shifts: [{ vehicle, date }] }: PlanningFacts, { scheduleLock, assignmentLock }: Locks): PlanningRequest {
  const { objectives } = business.planning;
  return {
    vehicle_ids: [vehicle.id], dates: [date], schedule_lock: scheduleLock, assignment_lock: assignmentLock, include_planned: false,
    objectives: objectives.length > 0 ? objectives : ['completed_tasks'], seed: 0, as_of: formatInstant(asOfMs),
  };
}

const noTask = (place: number): Task => ({ kind: 'task', place, duration: 1, windowStart: 0, windowEnd: 0, shifts: null, mandatory: false, pinned: false, handoverTo: NONE });

/** A place that is new to the shifts, on the roads of each kind of vehicle: by the numbering of these. */
export type NewPlaces = ReadonlyMap<string, { node: number; reach: Reach }>;

/** Writes the way to and from a new place into the room. */
export function enter({ table: { matrices: [matrix] }, network, nodes, newPlace }: ShiftRoom, places: NewPlaces): void {
  const { node: newNode, reach } = places.get(network.numbering)!;
  const { size, seconds, metres } = matrix;
  for (let place = 0; place < nodes.length; place++) {
    const node = nodes[place];
    // A stop that stands on the same node is the same place.
    const twins = node === newNode ? place : -1;
    seconds[place * size + newPlace] = reach.back.seconds[node];
    metres[place * size + newPlace] = reach.back.metres[node];
    seconds[newPlace * size + place] = reach.there.seconds[node];
    metres[newPlace * size + place] = reach.there.metres[node];
    if (twins >= 0) writeTwin(matrix, { nodes, twin: twins, reach });
  }
}

function writeTwin({ size, seconds, metres }: TravelMatrix, { nodes, twin, reach }: { nodes: readonly number[]; twin: number; reach: Reach }): void {
  nodes.forEach((node, place) => {
    seconds[place * size + twin] = reach.back.seconds[node];
    metres[place * size + twin] = reach.back.metres[node];
    seconds[twin * size + place] = reach.there.seconds[node];
    metres[twin * size + place] = reach.there.metres[node];
  });
}

/** Windows are cut to half a year around the shift, so that a time and a leg always fit into 32 bits. */
const secondsMax = 180 * 86_400;
const clamp = (seconds: number) => Math.max(-secondsMax, Math.min(secondsMax, seconds));

/** Writes the order that is asked for into the room: at the new place, within these instants. */
export function ask({ planning, newTask }: ShiftRoom, { startMs, endMs, durationSeconds }: { startMs: number; endMs: number; durationSeconds: number }): void {
  const task = planning.problem.tasks[newTask];
  task.duration = durationSeconds;
  task.windowStart = clamp(Math.ceil((startMs - planning.originMs) / 1_000));
  task.windowEnd = clamp(Math.floor((endMs - planning.originMs) / 1_000));
}
