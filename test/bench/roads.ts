/**
 * Loading road networks and computing travel matrices on them, beside Dijkstra's search in the same run, whose numbers must be the same:
 *
 *     npm run --silent bench:roads -- [--points 100,500,1000] [--only city,town,flat] [--width 447]
 *
 * `city` is the sample scenario; `town` and `flat` are generated, with as many crossings as the square of the width. One JSON line for each
 * network, engine and number of points. `hold_ms` is the longest that the event loop was held while the network was loaded.
 *
 *     npm run --silent bench:roads -- --map FILE.osm.pbf [--points 1000] [--valhalla-points 100] [--pairs 1000 --compare]
 *
 * builds a real map for both engines and asks both for tables between the same points of it (bench-map.ts), or with `--compare` for the
 * way of each pair, and says where the engines differ and why (compare-engines.ts).
 */
import { readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import type { Digraph } from '../../core/roads/graph.ts';
import type { Network } from '../../core/roads/network.ts';
import { textOf } from '../../core/roads/network-text.ts';
import { openRoads } from '../../core/roads/open-roads.ts';
import { buildGraphInThread, destroyRoadThreads } from '../../core/roads/road-threads.ts';
import { createSearch, searchFrom } from '../../core/roads/search.ts';
import { travelTo, type TravelMatrix } from '../../core/roads/travel-matrix.ts';
import { generatedFlatTown, generatedTown } from './generated-roads.ts';
import { benchMap } from './roads/bench-map.ts';
import { compareEngines } from './roads/compare-engines.ts';

const { values: options } = parseArgs({
  options: {
    points: { type: 'string', default: '100,500,1000' }, only: { type: 'string', default: 'city,town,flat' }, width: { type: 'string', default: '447' },
    map: { type: 'string' }, 'valhalla-points': { type: 'string', default: '100' }, compare: { type: 'boolean', default: false }, pairs: { type: 'string', default: '1000' },
  },
});
const width = Number(options.width);
const repetitions = 5;
const rowsCompared = 10;
const networks: Record<string, () => Network> = {
  city: () => JSON.parse(readFileSync(new URL('../../scenarios/city.json', import.meta.url), 'utf8')) as Network,
  town: () => generatedTown(width),
  flat: () => generatedFlatTown(width),
};

/** An engine that has loaded a network. What is to be measured here, of whichever engine, comes as one of these. */
interface Loaded {
  network: string;
  engine: string;
  nodes: number;
  edges: number;
  build_seconds: number;
  /** What else there is to be said of it. */
  details: Record<string, number>;
  /** Between points that are spread over the network. */
  matrix(points: number): Promise<TravelMatrix>;
  /** Row by row by Dijkstra's search, where the engine has a graph to do it on. */
  row: ((row: number, points: number) => { seconds: number; metres: number }[]) | null;
}

if (options.map === undefined) {
  for (const name of options.only.split(',')) await measure(await loadScenario(name));
} else if (options.compare) {
  await compareEngines(options.map, { pairs: Number(options.pairs) });
} else {
  await benchMap(options.map, { points: Math.max(...options.points.split(',').map(Number)), valhallaPoints: Number(options['valhalla-points']) });
}
await destroyRoadThreads();

async function loadScenario(name: string): Promise<Loaded> {
  const network = networks[name]();
  const text = { nodes: textOf(network.nodes), edges: textOf(network.edges) };
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const startedMs = performance.now();
  const graph = await buildGraphInThread(text);
  const graphMs = performance.now();
  const cpu = process.cpuUsage();
  const roads = openRoads(graph);
  const hierarchy = await roads.hierarchy();
  if (hierarchy === null) throw new Error('there is no hierarchy');
  const endedMs = performance.now();
  delay.disable();
  return {
    network: name, engine: 'engine_b', nodes: graph.nodeCount, edges: graph.arcCount, build_seconds: round((endedMs - startedMs) / 1_000),
    details: {
      contraction_seconds: round((endedMs - graphMs) / 1_000), contraction_cpu_seconds: round(process.cpuUsage(cpu).user / 1e6), core_nodes: hierarchy.nodeCount - hierarchy.coreStart,
      graph_megabytes: round(graph.buffer.byteLength / 1e6), hierarchy_megabytes: round(hierarchy.byteLength / 1e6), hold_ms: round(delay.max / 1e6),
    },
    matrix: async (points) => (await roads.matrix(spread(graph, points)))!,
    row: dijkstraRows(graph),
  };
}

/** Evenly over the nodes, the same in every run. */
function spread({ nodeCount }: Digraph, points: number): Int32Array {
  return Int32Array.from({ length: points }, (_, i) => Math.floor((i * nodeCount) / points));
}

function dijkstraRows(graph: Digraph): Loaded['row'] {
  const search = createSearch(graph);
  return (row, points) => {
    const nodes = spread(graph, points);
    const isTarget = new Uint8Array(graph.nodeCount);
    for (const node of nodes) isTarget[node] = 1;
    searchFrom(search, nodes[row], isTarget, points);
    return Array.from(nodes, (node) => travelTo(search, node));
  };
}

async function measure({ matrix, row, details, ...loaded }: Loaded): Promise<void> {
  for (const points of options.points.split(',').map(Number)) {
    const seconds: number[] = [];
    let found = await matrix(points);
    for (let i = 0; i < repetitions; i++) {
      const startedMs = performance.now();
      found = await matrix(points);
      seconds.push((performance.now() - startedMs) / 1_000);
    }
    const matrixSeconds = seconds.toSorted((a, b) => a - b)[repetitions >> 1];
    const rowSeconds = row && compare(found, points, row);
    console.log(JSON.stringify({
      ...loaded, ...details, matrix_points: points, matrix_seconds: round(matrixSeconds),
      ...(rowSeconds === null ? {} : { dijkstra_seconds: round(rowSeconds * points), ratio: round((rowSeconds * points) / matrixSeconds) }),
    }));
  }
}

/** What Dijkstra's search takes for a row, in one thread; its numbers must be those of the matrix. */
function compare({ size, seconds, metres }: TravelMatrix, points: number, row: NonNullable<Loaded['row']>): number {
  row(0, points);
  const startedMs = performance.now();
  const rows = Array.from({ length: rowsCompared }, (_, i) => Math.floor((i * points) / rowsCompared));
  const searched = rows.map((each) => row(each, points));
  const rowSeconds = (performance.now() - startedMs) / 1_000 / rowsCompared;
  for (const [i, each] of rows.entries()) {
    for (const [column, way] of searched[i].entries()) {
      const at = each * size + column;
      if (seconds[at] !== way.seconds || metres[at] !== way.metres) throw new Error(`from ${each} to ${column}: ${seconds[at]} s, ${metres[at]} m, but Dijkstra finds ${way.seconds} s, ${way.metres} m`);
    }
  }
  return rowSeconds;
}

function round(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}
