import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { DatasetSummary } from '../../../core/roads/dataset/build-dataset.ts';
import { openDataset } from '../../../core/roads/dataset/open-dataset.ts';
import type { TravelRectangle } from '../../../core/roads/hierarchy/many-to-many.ts';
import { JourneySearch } from '../../../core/roads/map/journey-search.ts';
import { findPlace } from '../../../core/roads/map/places.ts';
import { openRoadMap } from '../../../core/roads/map/road-map.ts';
import { vehicleGraph } from '../../../core/roads/map/vehicle-graph.ts';
import { filesIn } from '../../../core/roads/dataset/build-dataset.ts';
import { UNREACHABLE } from '../../../core/roads/travel-matrix.ts';
import { buildTiles } from '../../../core/valhalla/build-tiles.ts';
import { openValhalla } from '../../../core/valhalla/open-valhalla.ts';
import { valhallaProblem } from '../../../core/valhalla/valhalla-problem.ts';
import { pointsOnRoads } from './points-on-roads.ts';

export interface BuiltRoads extends DatasetSummary {
  seconds: number;
  cpuSeconds: number;
  peakMegabytes: number;
}

type Points = readonly (readonly [longitude: number, latitude: number])[];

const metresMax = 1_000;
const memoryLimitMb = 4_000;
const repetitions = 5;
const rowsCompared = 10;

/**
 * One line for each engine, on the same points: `build_seconds` until it can be asked, `open_seconds` from its files to its first answer,
 * `matrix_seconds` from points to a table. `cpu` is the seconds of processors, which depend less on what else the machine does.
 */
export async function benchMap(pbf: string, { points: count, valhallaPoints }: { points: number; valhallaPoints: number }): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'milkrun-bench-roads-'));
  try {
    const points = await benchBuiltIn(pbf, { directory: join(folder, 'roads'), count });
    const problem = await valhallaProblem();
    // With as many as the other it would take minutes.
    if (problem === null) await benchValhalla(pbf, { directory: join(folder, 'tiles'), points: points.slice(0, valhallaPoints) });
    else console.log(JSON.stringify({ map: basename(pbf), engine: 'engine_a', skipped: problem.message }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** In a process of its own, as in a worker. */
export async function buildRoads(pbf: string, directory: string): Promise<BuiltRoads> {
  const program = fileURLToPath(new URL('./build-roads.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [program, pbf, directory]);
  return JSON.parse(stdout) as BuiltRoads;
}

async function benchBuiltIn(pbf: string, { directory, count }: { directory: string; count: number }): Promise<Points> {
  const built = await buildRoads(pbf, directory);
  const points = pointsOnRoads(openRoadMap(filesIn(directory).map), count);
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const opening = meter();
  delay.enable();
  const dataset = await openDataset(directory);
  const roads = await dataset.for({ kind: 'car' });
  await roads.find(points.slice(0, 1), metresMax);
  const opened = opening();
  const matrix = async () => {
    const places = await roads.find(points, metresMax);
    return (await roads.rectangle(places, places))!;
  };
  // The code is warm afterwards, as that of a service is.
  let table = await matrix();
  const took: { seconds: number; cpu: number }[] = [];
  for (let i = 0; i < repetitions; i++) {
    const running = meter();
    table = await matrix();
    took.push(running());
  }
  delay.disable();
  const trucks = await dataset.for({ kind: 'truck' });
  const servedBytes = dataset.map.buffer.byteLength + roads.bytes + trucks.bytes;
  const middle = (of: 'seconds' | 'cpu') => took.map((each) => each[of]).toSorted((a, b) => a - b)[repetitions >> 1];
  console.log(JSON.stringify({
    map: basename(pbf), engine: 'engine_b', nodes: built.nodes, edges: built.edges, build_seconds: round(built.seconds), build_cpu: round(built.cpuSeconds), build_peak_megabytes: round(built.peakMegabytes),
    bytes: built.bytes, served_bytes: servedBytes, served_by_file: round(servedBytes / built.bytes), open_seconds: round(opened.seconds), open_cpu: round(opened.cpu),
    matrix_points: count, matrix_seconds: round(middle('seconds')), matrix_cpu: round(middle('cpu')), unreachable: unreachableIn(table.seconds),
    hold_ms: round(delay.max / 1e6), peak_megabytes: round(process.resourceUsage().maxRSS / 1_000), pairs_as_dijkstra: compare(directory, points, table),
  }));
  return points;
}

/** How many numbers are those of Dijkstra's search on the same map: all, or this throws. */
function compare(directory: string, points: Points, { columns, seconds, metres }: TravelRectangle): number {
  const graph = vehicleGraph(openRoadMap(filesIn(directory).map), { kind: 'car' });
  const places = points.map(([longitude, latitude]) => findPlace(graph, longitude, latitude, { metresMax })!);
  const search = new JourneySearch(graph);
  const some = Array.from({ length: rowsCompared }, (_, i) => Math.floor((i * places.length) / rowsCompared));
  const wanted = search.matrix(some.map((place) => places[place]));
  for (const [row, from] of some.entries()) {
    for (const [column, to] of some.entries()) {
      const [cell, at] = [row * some.length + column, from * columns + to];
      if (seconds[at] !== wanted.seconds[cell] || metres[at] !== wanted.metres[cell]) throw new Error(`from ${from} to ${to}: ${seconds[at]} s, ${metres[at]} m, but Dijkstra finds ${wanted.seconds[cell]} s, ${wanted.metres[cell]} m`);
    }
  }
  return some.length ** 2;
}

async function benchValhalla(pbf: string, { directory, points }: { directory: string; points: Points }): Promise<void> {
  const about = { profile: { costing: 'auto' }, limitMetres: metresMax } as const;
  const before = processorSeconds('self', 'children');
  const building = meter();
  const built = await buildTiles({ pbf, directory, memoryLimitMb });
  const { seconds: buildSeconds } = building();
  const buildCpu = processorSeconds('self', 'children') - before;
  const opening = meter();
  const valhalla = openValhalla(directory);
  try {
    await valhalla.locate(points.slice(0, 1), about);
    const opened = opening();
    const process = valhalla.processId()!;
    const openCpu = processorSeconds(process, 'itself');
    const running = meter();
    const table = await valhalla.matrix(points, points, about);
    const { seconds } = running();
    console.log(JSON.stringify({
      map: basename(pbf), engine: 'engine_a', nodes: built.nodes, edges: built.edges, build_seconds: round(buildSeconds), build_cpu: round(buildCpu), build_peak_megabytes: round(built.memoryMbMax),
      bytes: built.bytes, open_seconds: round(opened.seconds), open_cpu: round(openCpu),
      matrix_points: points.length, matrix_seconds: round(seconds), matrix_cpu: round(processorSeconds(process, 'itself') - openCpu), unreachable: unreachableIn(table.seconds),
      peak_megabytes: peakMegabytes(process),
    }));
  } finally {
    await valhalla.close();
  }
}

const unreachableIn = (seconds: Int32Array): number => seconds.reduce((sum, each) => sum + (each >= UNREACHABLE ? 1 : 0), 0);

/** Seconds on the clock, and of processors in this process, since it was made. */
function meter(): () => { seconds: number; cpu: number } {
  const [startedMs, cpu] = [performance.now(), process.cpuUsage()];
  return () => {
    const { user, system } = process.cpuUsage(cpu);
    return { seconds: (performance.now() - startedMs) / 1_000, cpu: (user + system) / 1e6 };
  };
}

/** Of a process, or of those children that it has waited for, and theirs; NaN but on Linux, and then null in the line. */
function processorSeconds(pid: number | 'self', whose: 'itself' | 'children'): number {
  if (process.platform !== 'linux') return Number.NaN;
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\) /, '').split(' ');
  const [user, system] = whose === 'itself' ? fields.slice(11, 13) : fields.slice(13, 15);
  return (Number(user) + Number(system)) / 100;
}

function peakMegabytes(pid: number): number | null {
  if (process.platform !== 'linux') return null;
  return round(Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1_000);
}

function round(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}
