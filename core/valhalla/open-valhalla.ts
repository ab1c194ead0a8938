import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { locatePoints } from './locate-points.ts';
import type { LocateOptions } from './locate-points.ts';
import { findNativePackage } from './native-package.ts';
import type { NativePackage } from './native-package.ts';
import type { Point, Snapped } from './queries.ts';
import { startQueryEngine } from './query-engine.ts';
import { routeThrough } from './route-through.ts';
import type { Route } from './route-through.ts';
import { readTileRecord } from './tile-record.ts';
import type { TileRecord } from './tile-record.ts';
import { travelTable } from './travel-table.ts';
import type { TravelTable, TravelTableOptions } from './travel-table.ts';

/** Valhalla over one set of tiles. Errors are ValhallaErrors, or the reason of the signal that was given. */
export interface Valhalla {
  readonly record: TileRecord;
  /** Where each point meets the roads; null where none is near enough. */
  locate(points: readonly Point[], options: LocateOptions): Promise<(Snapped | null)[]>;
  /** Fastest travel from all sources to all targets. */
  matrix(sources: readonly Point[], targets: readonly Point[], options: TravelTableOptions): Promise<TravelTable>;
  /** Along the roads, from each point to the next. */
  route(points: readonly Point[], options: LocateOptions): Promise<Route>;
  /** Answers what was asked before, takes nothing more, and ends the process. The tiles may be removed afterwards, not earlier. */
  close(): Promise<void>;
  /** Of the process that answers; null while there is none. */
  processId(): number | null;
}

export interface OpenValhallaOptions {
  /** Requests at once: at least 1. */
  threads?: number;
  deadlineMs?: number;
  nativePackage?: NativePackage;
}

const THREADS_MAX = 4;
/** A request takes about a second at most: see travel-table.ts. */
const DEADLINE_MS = 30_000;

/** The process starts with the first request, or again with the next one after it has gone. */
export function openValhalla(directory: string, options: OpenValhallaOptions = {}): Valhalla {
  const { threads = Math.min(THREADS_MAX, availableParallelism()), deadlineMs = DEADLINE_MS, nativePackage = findNativePackage() } = options;
  const tiles = resolve(directory);
  const record = readTileRecord(tiles, nativePackage);
  const engine = startQueryEngine({ tiles, nativePackage, threads, deadlineMs });
  return {
    record,
    locate: (points, about) => locatePoints(engine, points, about),
    matrix: (sources, targets, about) => travelTable(engine, { sources, targets }, about),
    route: (points, about) => routeThrough(engine, points, about),
    close: engine.close,
    processId: engine.processId,
  };
}
