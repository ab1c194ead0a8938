import type { TravelRow } from '../roads/reach.ts';

/** Travel from all to all, row-major; null when cancelled. */
export type Rectangle<Spot> = (from: readonly Spot[], to: readonly Spot[], cancel?: Int32Array) => Promise<TravelRow | null>;

/** 36 MB. A table over more places is computed each time. */
const spotsMaxDefault = 2_100;

const unknown = -1;

/**
 * Remembers the travel that was asked for, so that planning again with some new orders computes the rows and columns of their places and
 * nothing else. Spots are told apart by identity. When there is no more room, what was remembered is forgotten all at once.
 */
export function remembering<Spot>(compute: Rectangle<Spot>, spotsMax = spotsMaxDefault): Rectangle<Spot> {
  let memory = createMemory<Spot>(0);

  /** Room for these spots: in the memory that there is, in a larger one, or in a new one. */
  const makeRoom = (spots: Set<Spot>): Memory<Spot> => {
    const added = [...spots].filter((spot) => !memory.indexOf.has(spot));
    if (memory.indexOf.size + added.length > spotsMax) memory = createMemory(spots.size);
    else if (memory.indexOf.size + added.length > memory.size) memory = enlarged(memory, Math.min(spotsMax, 2 * (memory.indexOf.size + added.length)));
    for (const spot of spots) if (!memory.indexOf.has(spot)) memory.indexOf.set(spot, memory.indexOf.size);
    return memory;
  };

  return async (from, to, cancel) => {
    const spots = new Set([...from, ...to]);
    if (spots.size > spotsMax) return compute(from, to, cancel);
    const known = makeRoom(spots);
    const rows = from.map((spot) => known.indexOf.get(spot)!);
    const columns = to.map((spot) => known.indexOf.get(spot)!);
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

interface Memory<Spot> {
  /** Rows that there is room for. */
  size: number;
  indexOf: Map<Spot, number>;
  seconds: Int32Array;
  metres: Int32Array;
}

const createMemory = <Spot>(size: number): Memory<Spot> => ({ size, indexOf: new Map(), seconds: new Int32Array(size ** 2).fill(unknown), metres: new Int32Array(size ** 2) });

function enlarged<Spot>(memory: Memory<Spot>, size: number): Memory<Spot> {
  const larger = { ...createMemory<Spot>(size), indexOf: memory.indexOf };
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
function missingParts({ size, seconds }: Memory<unknown>, rows: readonly number[], columns: readonly number[]): Part[] {
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
function rectangleOf({ size, seconds, metres }: Memory<unknown>, rows: readonly number[], columns: readonly number[]): TravelRow {
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
