/**
 * Building a road graph and a travel matrix on it, beside the floor of one plain pass over the same arcs for each row:
 *
 *     npm run --silent bench:roads -- [--scenario scenarios/city.json] [--points 500]
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { buildGraph } from '../../core/roads/build-graph.ts';
import type { Network } from '../../core/roads/network.ts';
import { destroyRoadThreads, travelMatrixInThread } from '../../core/roads/road-threads.ts';
import { travelMatrix } from '../../core/roads/travel-matrix.ts';

const { values: options } = parseArgs({ options: { scenario: { type: 'string', default: 'scenarios/city.json' }, points: { type: 'string', default: '500' } } });
const network = JSON.parse(readFileSync(options.scenario, 'utf8')) as Network;
const points = Number(options.points);

const [graph, buildSeconds] = timed(() => buildGraph(network));
// Evenly spread over the nodes, the same in every run.
const nodes = Int32Array.from({ length: points }, (_, i) => Math.floor((i * graph.nodeCount) / points));
const [, oneThread] = timed(() => travelMatrix(graph, nodes));
await travelMatrixInThread(graph, nodes.slice(0, 32));
const started = performance.now();
await travelMatrixInThread(graph, nodes);
const threads = (performance.now() - started) / 1_000;
const [, floor] = timed(() => {
  const seen = new Float64Array(graph.nodeCount);
  for (let row = 0; row < points; row++) for (let arc = 0; arc < graph.arcCount; arc++) seen[arc % graph.nodeCount] += arc;
  return seen;
});
await destroyRoadThreads();

const round = (seconds: number) => Math.round(seconds * 1_000) / 1_000;
console.log(JSON.stringify({
  engine: 'dijkstra', nodes: graph.nodeCount, edges: graph.arcCount, build_seconds: round(buildSeconds), matrix_points: points,
  matrix_seconds: round(threads), one_thread_seconds: round(oneThread), floor_seconds: round(floor), ratio: round(oneThread / floor),
}));

function timed<T>(work: () => T): [T, number] {
  const from = performance.now();
  const result = work();
  return [result, (performance.now() - from) / 1_000];
}
