/**
 * What README.md in core/valhalla says of an extract: `node test/core/valhalla/measure.ts FILE.osm.pbf WEST SOUTH EAST NORTH`. One line of
 * JSON. Timings hold for this machine and what else it does; the seconds of processors, which Linux counts, depend less on that.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { UNREACHABLE } from '../../../core/roads/travel-matrix.ts';
import { buildTiles } from '../../../core/valhalla/build-tiles.ts';
import { memoryOf } from '../../../core/valhalla/memory-of.ts';
import { openValhalla } from '../../../core/valhalla/open-valhalla.ts';
import { placesIn } from './places-in.ts';

const [pbf, ...box] = process.argv.slice(2);
const [west, south, east, north] = box.map(Number);
const about = { profile: { costing: 'auto' }, limitMetres: 300 } as const;
const folder = mkdtempSync(join(tmpdir(), 'milkrun-measure-'));
const directory = join(folder, 'tiles');
try {
  const [built, buildSeconds] = await timed(() => buildTiles({ pbf, directory, memoryLimitMb: 4000 }));
  const buildCpuSeconds = cpuSeconds(process.pid, 'children');
  const valhalla = openValhalla(directory);
  const [, firstMilliseconds] = await timed(() => valhalla.locate([[west, south]], about));
  const memory: Record<string, [all: number, own: number]> = { first: await memoryMb(valhalla.processId()!) };
  const places = await placesIn(valhalla, { west, south, east, north, count: 250 });
  const matrices: Record<string, number> = {};
  for (const size of [50, 100, 250]) {
    const some = places.slice(0, size);
    const before = cpuSeconds(valhalla.processId()!, 'itself');
    [, matrices[`matrix_${size}_seconds`]] = await timed(() => valhalla.matrix(some, some, about));
    matrices[`matrix_${size}_cpu_seconds`] = cpuSeconds(valhalla.processId()!, 'itself') - before;
    memory[`matrix_${size}`] = await memoryMb(valhalla.processId()!);
  }
  const routes: number[] = [];
  const differences: number[] = [];
  let isFalselyUnreachable = 0;
  const few = places.slice(0, 20);
  const { seconds } = await valhalla.matrix(few, few, about);
  for (const [i, from] of few.entries()) {
    for (const [j, to] of few.entries()) {
      const [{ legs: [leg] }, took] = await timed(() => valhalla.route([from, to], about));
      routes.push(took * 1000);
      const cell = seconds[i * few.length + j]!;
      if (leg && cell === UNREACHABLE) isFalselyUnreachable++;
      else if (leg) differences.push(Math.abs(leg.seconds - cell));
    }
  }
  memory.end = await memoryMb(valhalla.processId()!);
  await valhalla.close();
  process.stdout.write(`${JSON.stringify({
    map: basename(pbf), threads: availableParallelism(), build_seconds: rounded(buildSeconds), build_cpu_seconds: rounded(buildCpuSeconds), build_memory_mb: built.memoryMbMax, tiles: built.tiles, tiles_mb: rounded(built.bytes / 1e6),
    nodes: built.nodes, edges: built.edges, first_answer_ms: Math.round(firstMilliseconds * 1000),
    ...Object.fromEntries(Object.entries(matrices).map(([name, value]) => [name, rounded(value)])),
    route_ms_median: rounded(median(routes)), process_mb_and_own: memory,
    pairs: differences.length, falsely_unreachable: isFalselyUnreachable,
    seconds_off_median: median(differences), over_2_seconds_off: differences.filter((each) => each > 2).length, seconds_off_max: Math.max(...differences),
  })}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function timed<T>(work: () => Promise<T>): Promise<[T, seconds: number]> {
  const started = performance.now();
  const result = await work();
  return [result, (performance.now() - started) / 1000];
}

/** What a process has, and what of it is its own and no file; NaN but on Linux. */
async function memoryMb(pid: number): Promise<[all: number, own: number]> {
  if (process.platform !== 'linux') return [Number.NaN, Number.NaN];
  const all = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024;
  return [Math.round(all), Math.round(await memoryOf(pid))];
}

/** Of a process, or of those children that it has waited for, and their children; NaN but on Linux. */
function cpuSeconds(pid: number, whose: 'itself' | 'children'): number {
  if (process.platform !== 'linux') return Number.NaN;
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\) /, '').split(' ');
  const [user, system] = whose === 'itself' ? fields.slice(11, 13) : fields.slice(13, 15);
  return (Number(user) + Number(system)) / 100;
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1]!;
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}
