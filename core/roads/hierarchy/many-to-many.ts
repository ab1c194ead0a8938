import { UNREACHABLE, wholeMetres, wholeSeconds } from '../travel-matrix.ts';
import { Buckets } from './buckets.ts';
import type { Hierarchy } from './hierarchy.ts';
import { checkPlaces } from './places.ts';
import type { Places } from './places.ts';
import { UpwardSearch } from './upward-search.ts';

/** Travel from some places to others, row-major: `seconds[row * columns + column]`. Metres are those of the fastest way. */
export interface TravelRectangle {
  rows: number;
  columns: number;
  seconds: Int32Array;
  metres: Int32Array;
}

/** A way from a source to a target that does not touch a node, such as one along a single street. */
export interface DirectWay {
  source: number;
  target: number;
  milliseconds: number;
  centimetres: number;
}

export interface Journeys {
  sources: Places;
  targets: Places;
  direct?: readonly DirectWay[];
}

export interface RectangleOptions {
  /** Called after each row, with the number of rows that are done. */
  onRow?: (rowsDone: number) => void;
  /** Asked before each row, and while the targets are prepared. */
  shouldStop?: () => boolean;
}

/**
 * Fastest travel from all sources to all targets; null when it was stopped. The numbers are those of `travelMatrix`.
 *
 * A backward search from each target leaves an entry in a bucket at every node that it settles; a forward search from each source looks
 * into the buckets at the nodes that it settles (Knopp, Sanders, Schultes, Schulz and Wagner: Computing Many-to-Many Shortest Paths Using
 * Highway Hierarchies, 2007).
 */
export function manyToMany(hierarchy: Hierarchy, journeys: Journeys, options: RectangleOptions = {}): TravelRectangle | null {
  const { sources: { count: rows }, targets: { count: columns } } = journeys;
  const rectangle = { rows, columns, seconds: new Int32Array(rows * columns), metres: new Int32Array(rows * columns) };
  return fillRectangle(hierarchy, journeys, { rectangle, firstRow: 0, endRow: rows }, options) ? rectangle : null;
}

/** Computes some rows of a rectangle; false when it was stopped before the last. */
export function fillRectangle(hierarchy: Hierarchy, { sources, targets, direct = [] }: Journeys, rows: { rectangle: TravelRectangle; firstRow: number; endRow: number }, options: RectangleOptions = {}): boolean {
  checkPlaces(hierarchy, sources);
  checkPlaces(hierarchy, targets);
  const search = new UpwardSearch(hierarchy);
  const directBySource = Map.groupBy(direct, ({ source }) => source);
  // As many targets at a time as their buckets have room for, nearly always all; the sources pass by once for each such block.
  let begin = 0;
  do {
    const buckets = new Buckets(hierarchy);
    if (!buckets.take(search, targets, { from: begin, shouldStop: options.shouldStop })) return false;
    const row = new Row(begin, buckets.endTarget);
    for (let source = rows.firstRow; source < rows.endRow; source++) {
      if (options.shouldStop?.()) return false;
      search.beginAt(sources, source);
      search.forwards();
      row.compute(search, buckets, directBySource.get(source) ?? []);
      row.write(rows.rectangle, source);
      if (buckets.endTarget === targets.count) options.onRow?.(source - rows.firstRow + 1);
    }
    begin = buckets.endTarget;
  } while (begin < targets.count);
  return true;
}

/** The best ways from one source to a block of targets. */
class Row {
  readonly begin: number;
  readonly milliseconds: Float64Array;
  readonly centimetres: Float64Array;

  constructor(begin: number, end: number) {
    this.begin = begin;
    this.milliseconds = new Float64Array(end - begin);
    this.centimetres = new Float64Array(end - begin);
  }

  compute(search: UpwardSearch, { first, target, milliseconds: entryTime, centimetres: entryLength }: Buckets, direct: readonly DirectWay[]): void {
    const { begin, milliseconds, centimetres } = this;
    const { settled, settledCount, milliseconds: times, centimetres: lengths } = search;
    milliseconds.fill(Infinity);
    for (let i = 0; i < settledCount; i++) {
      const rank = settled[i];
      const time = times[rank];
      const length = lengths[rank];
      const past = first[rank + 1];
      for (let entry = first[rank]; entry < past; entry++) {
        const at = target[entry];
        const total = time + entryTime[entry];
        if (total > milliseconds[at]) continue;
        const totalLength = length + entryLength[entry];
        if (total === milliseconds[at] && totalLength >= centimetres[at]) continue;
        milliseconds[at] = total;
        centimetres[at] = totalLength;
      }
    }
    for (const way of direct) {
      const at = way.target - begin;
      if (at < 0 || at >= milliseconds.length || way.milliseconds > milliseconds[at] || (way.milliseconds === milliseconds[at] && way.centimetres >= centimetres[at])) continue;
      milliseconds[at] = way.milliseconds;
      centimetres[at] = way.centimetres;
    }
  }

  write({ columns, seconds, metres }: TravelRectangle, row: number): void {
    const start = row * columns + this.begin;
    for (let at = 0; at < this.milliseconds.length; at++) {
      const milliseconds = this.milliseconds[at];
      const whole = milliseconds === Infinity ? UNREACHABLE : wholeSeconds(milliseconds);
      seconds[start + at] = whole;
      metres[start + at] = wholeMetres(whole, this.centimetres[at]);
    }
  }
}
