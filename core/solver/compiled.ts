/**
 * A problem as the search reads it: one SharedArrayBuffer of 32-bit integers, so that threads get it without a copy.
 *
 *     header    25 integers, see HEADER
 *     sections  one behind the other in the order of `sectionLengths`, without padding
 *
 * A *slot* is a stretch of a shift that is one closed route: each interval of a shift that returns to its warehouse in the gaps, a
 * whole shift otherwise. A *component* is a set of shifts whose drivers may depend on one another; its *events* are those shifts and
 * the fixed spans of their drivers, in the order in which they are worked through.
 */

const HEADER = [
  'taskCount', 'shiftCount', 'slotCount', 'intervalCount', 'placeCount', 'driverCount', 'componentCount', 'eventCount',
  'startCount', 'restSeconds', 'countsServedFirst', 'metricIsMetres', 'startFits', 'allowedWords', 'fixedSpanCount', 'transposedPlaces',
  'isSymmetric', 'nearestCount', 'besideCount', 'matrixCount', 'classCount', 'fitWords', 'frameCount', 'hasOneMetric', 'besideShift',
] as const;

export type Header = Record<(typeof HEADER)[number], number>;

const SECTIONS = [
  // Travel, row-major over places, one matrix behind the other. Places have numbers of their own here: see `place-order.ts`. Where `hasOneMetric`, metres are seconds and take no room.
  'seconds', 'metres',
  // Per task. `flags` is a sum of FLAG values, `alone` the travel of a trip for it alone, `handoverTo` a dense driver index or -1.
  'taskPlace', 'duration', 'windowStart', 'windowEnd', 'flags', 'handoverTo', 'demand', 'alone',
  // One bit per task and shift, `allowedWords` words for each task.
  'allowed',
  // Per shift; `slotBegin` has one more. `component` is -1 where no other shift and no fixed span matters. `isOdd` is 1 for
  // shifts in which the first leg or the last place of a slot depends on which other slots are used: see `frameShift`.
  'driver', 'startPlace', 'endPlace', 'warehouse', 'slotBegin', 'component', 'isOdd',
  // Per slot. Intervals are [intervalBegin, intervalEnd) of the next section; slots of one class are the same while they are empty.
  // `slotMatrix` is where the matrix of its vehicle begins.
  'slotShift', 'slotIntervalBegin', 'slotIntervalEnd', 'slotCapacity', 'slotClass', 'slotMatrix',
  'intervalStart', 'intervalEnd',
  // Per frame (see `slot-classes.ts`); `frameClassBegin` has one more. The places of odd ones are -1, `frameMatrix` is like `slotMatrix`.
  'frameStart', 'frameEnd', 'frameMatrix', 'frameClassBegin',
  // Events of component c: [componentBegin[c], componentBegin[c + 1]). A shift is its index, a fixed span -1 - its index.
  'componentBegin', 'event', 'fixedDriver', 'fixedStart', 'fixedEnd',
  // The plan to start from: tasks of slot s at [startBegin[s], startBegin[s + 1]); all in a shift's first slot if `startFits` is 0.
  'startBegin', 'startTask',
  // All matrices turned over, `to * placeCount + from`; empty where they are symmetric or too large.
  'secondsTo', 'metresTo',
  // One bit per task and slot class, `fitWords` words for each task: whether an empty slot of that class may take it.
  'fits',
  // Travel of a route that serves the task alone, `frameCount` for each task, 0 where it depends on other routes.
  'frameTravel',
  // Per task its nearest others, `nearestCount` for each, nearest first: where the next string is removed.
  'nearest',
  // Per task `besideCount` entries for the tasks that go best directly before it, then as many for those that go best directly
  // behind it, the likeliest first. An entry is the task in its lower half and above it the travel of the leg between the two, shifted to the
  // right by `besideShift`: a bound that needs no look into the matrix. The task itself, far away, fills the list up.
  'beside',
] as const;

/** The lower half of an entry of `beside` is the task, the upper one its leg: as much as there is room for. */
export const BESIDE_TASK = 0xffff;
export const BESIDE_LEG_AT = 16;
export const BESIDE_LEG_MAX = 0xffff;

/** So many of the likeliest on either side are looked at, except in steps that look further (see `anneal.ts`). */
export const BESIDE_USUAL = 40;

export type SectionName = (typeof SECTIONS)[number];
export type Sections = Record<SectionName, Int32Array>;
export type Compiled = Header & Sections & { buffer: SharedArrayBuffer };

/** Hopeless is a task that fits no shift, not even an empty one; fixed is one that the search never takes out of its route. */
export const FLAG = { isBreak: 1, isMandatory: 2, isPinned: 4, isRestricted: 8, isHopeless: 16, isFixed: 32 } as const;

/** How many tasks have none of these flags. */
export function countWithout(flags: Int32Array, mask: number): number {
  return flags.reduce((count, flag) => count + (flag & mask ? 0 : 1), 0);
}

/** Where no more tasks than these are to be placed, somebody waits for them, and a search is short. */
export const FEW_TASKS = 40;

/** Stands for "unlimited" and for "no bound" in 32 bits. */
export const UNBOUNDED = 0x7fffffff;

function sectionLengths(header: Header): Record<SectionName, number> {
  const { taskCount: n, shiftCount: m, slotCount: s, placeCount, matrixCount, componentCount, eventCount, fixedSpanCount } = header;
  return {
    seconds: matrixCount * placeCount ** 2, metres: header.hasOneMetric ? 0 : matrixCount * placeCount ** 2,
    taskPlace: n, duration: n, windowStart: n, windowEnd: n, flags: n, handoverTo: n, demand: n, alone: n,
    allowed: n * header.allowedWords,
    driver: m, startPlace: m, endPlace: m, warehouse: m, slotBegin: m + 1, component: m, isOdd: m,
    slotShift: s, slotIntervalBegin: s, slotIntervalEnd: s, slotCapacity: s, slotClass: s, slotMatrix: s,
    intervalStart: header.intervalCount, intervalEnd: header.intervalCount,
    frameStart: header.frameCount, frameEnd: header.frameCount, frameMatrix: header.frameCount, frameClassBegin: header.frameCount + 1,
    componentBegin: componentCount + 1, event: eventCount, fixedDriver: fixedSpanCount, fixedStart: fixedSpanCount, fixedEnd: fixedSpanCount,
    startBegin: s + 1, startTask: header.startCount,
    secondsTo: matrixCount * header.transposedPlaces ** 2, metresTo: header.hasOneMetric ? 0 : matrixCount * header.transposedPlaces ** 2,
    fits: n * header.fitWords, frameTravel: n * header.frameCount,
    nearest: n * header.nearestCount, beside: n * 2 * header.besideCount,
  };
}

/** The travel between two places of whichever vehicle has the least. */
export function leastTravel({ metricIsMetres, metres, seconds, matrixCount, placeCount }: Compiled, from: number, to: number): number {
  const travel = metricIsMetres ? metres : seconds;
  let least = UNBOUNDED;
  for (let matrix = 0; matrix < matrixCount; matrix++) least = Math.min(least, travel[(matrix * placeCount + from) * placeCount + to]);
  return least;
}

/** Where a slot starts: a shift's first one where its vehicle is then, every other one at its warehouse. */
export function slotStart({ slotShift, slotBegin, startPlace, warehouse }: Compiled, slot: number): number {
  const shift = slotShift[slot];
  return slot === slotBegin[shift] ? startPlace[shift] : warehouse[shift];
}

/** Makes room for a problem of this size; the sections are all zero. */
export function allocate(header: Header): Compiled {
  const lengths = Object.values(sectionLengths(header)).reduce((sum, length) => sum + length, 0);
  const buffer = new SharedArrayBuffer(4 * (HEADER.length + lengths));
  new Int32Array(buffer).set(HEADER.map((name) => header[name]));
  return attach(buffer);
}

/** Views of a buffer that `allocate` made, in this thread or another one. */
export function attach(buffer: SharedArrayBuffer): Compiled {
  const values = new Int32Array(buffer, 0, HEADER.length);
  const header = Object.fromEntries(HEADER.map((name, i) => [name, values[i]])) as Header;
  const lengths = sectionLengths(header);
  const sections = {} as Sections;
  let offset = HEADER.length;
  for (const name of SECTIONS) {
    sections[name] = new Int32Array(buffer, 4 * offset, lengths[name]);
    offset += lengths[name];
  }
  if (header.hasOneMetric) Object.assign(sections, { metres: sections.seconds, metresTo: sections.secondsTo });
  return { ...header, ...sections, buffer };
}
