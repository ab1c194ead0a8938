import type { TravelRow } from '../roads/reach.ts';
import { recentlyUsed } from './recently-used.ts';

/** Travel from all places to all others, row-major; null when cancelled. */
export type Rectangle<Place> = (from: readonly Place[], to: readonly Place[], cancel?: Int32Array) => Promise<TravelRow | null>;

/** 36 MB. A table over more places is computed each time. */
const placesMaxDefault = 2_100;

/** By whose they are. Vehicles of many sizes have as many matrices, and not all of them shall stay for ever. */
const memories = recentlyUsed<object, Memory>(4);

const unknown = -1;

/**
 * Remembers the travel that was asked for, so that planning again with some new orders computes the rows and columns of their places and
 * nothing else. Places are told apart by identity. When there is no more room, what was remembered is forgotten all at once.
 */
export function remembering<Place>(compute: Rectangle<Place>, placesMax = placesMaxDefault): Rectangle<Place> {
  const owner = {};

  /** Room for these places: in the memory that there is, in a larger one, or in a new one. */
  const makeRoom = (places: Set<Place>): Memory => {
    let memory = memories.get(owner) ?? createMemory(0);
    const added = [...places].filter((place) => !memory.indexOf.has(place));
    if (memory.indexOf.size + added.length > placesMax) memory = createMemory(places.size);
    else if (memory.indexOf.size + added.length > memory.size) memory = enlarged(memory, Math.min(placesMax, 2 * (memory.indexOf.size + added.length)));
    for (const place of places) if (!memory.indexOf.has(place)) memory.indexOf.set(place, memory.indexOf.size);
    memories.set(owner, memory);
    return memory;
  };

  return async (from, to, cancel) => {
    const places = new Set([...from, ...to]);
    if (places.size > placesMax) return compute(from, to, cancel);
    const known = makeRoom(places);
    const rows = from.map((place) => known.indexOf.get(place)!);
    const columns = to.map((place) => known.indexOf.get(place)!);
    for (const part of missingParts(known, rows, columns)) {
      const isWhole = part.rows.length === rows.length && part.columns.length === columns.length;
      const sources = isWhole ? from : part.rows.map((row) => from[row]);
      const targets = isWhole ? to : part.columns.map((column) => to[column]);
      const travel = await compute(sources, targets, cancel);
      if (travel === null) return null;
      let at = 0;
      for (const row of part.rows) {
        for (const column of part.columns) {
          known.seconds[rows[row] * known.size + columns[column]] = travel.seconds[at];
          known.metres[rows[row] * known.size + columns[column]] = travel.metres[at++];
        }
      }
    }
    return rectangleOf(known, rows, columns);
  };
}

interface Memory {
  /** Rows that there is room for. */
  size: number;
  indexOf: Map<unknown, number>;
  seconds: Int32Array;
  metres: Int32Array;
}

const createMemory = (size: number): Memory => ({ size, indexOf: new Map(), seconds: new Int32Array(size ** 2).fill(unknown), metres: new Int32Array(size ** 2) });

function enlarged(memory: Memory, size: number): Memory {
  const larger = { ...createMemory(size), indexOf: memory.indexOf };
  for (let row = 0; row < memory.indexOf.size; row++) {
    for (const key of ['seconds', 'metres'] as const) larger[key].set(memory[key].subarray(row * memory.size, row * memory.size + memory.indexOf.size), row * size);
  }
  return larger;
}

interface Part {
  /** Positions in what was asked for. */
  rows: number[];
  columns: number[];
}

/** New sources to all targets, and the other sources to the targets that one of them does not know. */
function missingParts({ size, seconds }: Memory, rows: readonly number[], columns: readonly number[]): Part[] {
  const fresh: number[] = [];
  const others: number[] = [];
  const isMissing = new Uint8Array(columns.length);
  rows.forEach((row, position) => {
    let missing = 0;
    for (const column of columns) if (seconds[row * size + column] === unknown) missing++;
    if (2 * missing > columns.length) return fresh.push(position);
    if (missing === 0) return;
    others.push(position);
    for (let at = 0; at < columns.length; at++) if (seconds[row * size + columns[at]] === unknown) isMissing[at] = 1;
  });
  const wanted = columns.flatMap((_column, at) => (isMissing[at] === 1 ? [at] : []));
  return [
    ...(fresh.length === 0 ? [] : [{ rows: fresh, columns: [...columns.keys()] }]),
    ...(others.length === 0 ? [] : [{ rows: others, columns: wanted }]),
  ];
}

/** In shared memory, as threads want it. */
function rectangleOf({ size, seconds, metres }: Memory, rows: readonly number[], columns: readonly number[]): TravelRow {
  const integers = () => new Int32Array(new SharedArrayBuffer(4 * rows.length * columns.length));
  const travel: TravelRow = { seconds: integers(), metres: integers() };
  let at = 0;
  for (const row of rows) {
    for (const column of columns) {
      travel.seconds[at] = seconds[row * size + column];
      travel.metres[at++] = metres[row * size + column];
    }
  }
  return travel;
}
