import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { buildGraph } from '../../../core/roads/build-graph.ts';
import { openRoads, type OpenRoads } from '../../../core/roads/open-roads.ts';
import { contractInThread, destroyRoadThreads, travelRectangleInThread } from '../../../core/roads/road-threads.ts';
import { manyToMany } from '../../../core/roads/hierarchy/many-to-many.ts';
import { placesAt } from '../../../core/roads/hierarchy/places.ts';
import type { NetworkEdge } from '../../../core/roads/network.ts';
import { travelMatrix } from '../../../core/roads/travel-matrix.ts';
import { flatGrid } from './hierarchy/random-digraphs.ts';

afterAll(destroyRoadThreads);

const width = 40;
const streets = flatGrid(width);
const graph = buildGraph({
  nodes: Array.from({ length: streets.nodeCount }, (_, i) => ({ id: `n${i}`, x: (i % width) / 100, y: Math.floor(i / width) / 100 })),
  edges: Array.from({ length: streets.nodeCount }, (_, node): NetworkEdge[] =>
    Array.from({ length: streets.firstArc[node + 1] - streets.firstArc[node] }, (__, i) => streets.firstArc[node] + i).map((arc) => ({
      id: `e${arc}`, from: `n${node}`, to: `n${streets.head[arc]}`, time_seconds: streets.milliseconds[arc] / 1000, distance_meters: streets.centimetres[arc] / 100,
    })),
  ).flat(),
});
const nodes = Int32Array.from({ length: 450 }, (_, i) => (i * 997) % graph.nodeCount);
const some = nodes.slice(0, 12);

describe('open roads', () => {
  let roads: OpenRoads;
  beforeAll(() => { roads = openRoads(graph); });

  test('answer the same before and after they have been contracted', async () => {
    const matrix = await roads.matrix(some);
    const reach = await roads.reach(7);
    const legs = await roads.legs([[5, 1_500], [1_500, 5], [5, 5]]);
    const hierarchy = await roads.hierarchy();
    expect(hierarchy).not.toBeNull();
    expect(await roads.matrix(some)).toEqual(matrix);
    expect(await roads.reach(7)).toEqual(reach);
    expect(await roads.legs([[5, 1_500], [1_500, 5], [5, 5]])).toEqual(legs);
    expect(matrix).toEqual(travelMatrix(graph, some));
  });

  test('wait for the hierarchy where much is asked, unless somebody says stop', async () => {
    const others = openRoads(graph);
    const cancel = new Int32Array(new SharedArrayBuffer(4));
    const running = others.matrix(nodes, { cancel });
    Atomics.store(cancel, 0, 1);
    expect(await running).toBeNull();
    const matrix = await others.matrix(nodes);
    expect(matrix).toEqual(travelMatrix(graph, nodes));
  });

  test('refuse nodes that are not there', async () => {
    await expect(roads.matrix(Int32Array.of(0, 1_600))).rejects.toThrow('no node 1600');
    await expect(roads.reach(-1)).rejects.toThrow('no node -1');
    await expect(roads.legs([[0, 1_600]])).rejects.toThrow('no node 1600');
  });

  test('answer without a hierarchy when they are closed before it is ready', async () => {
    const others = openRoads(graph);
    others.close();
    expect(await others.hierarchy()).toBeNull();
    expect(await others.matrix(nodes)).toEqual(travelMatrix(graph, nodes));
  });

  test('answer without a hierarchy when the threads were ended', async () => {
    const others = openRoads(graph);
    await destroyRoadThreads();
    expect(await others.hierarchy()).toBeNull();
    expect(await others.matrix(some)).toEqual(travelMatrix(graph, some));
  });
});

test('threads compute the rectangle that one call computes, in parts, with progress, until somebody says stop', async () => {
  const hierarchy = (await contractInThread(graph))!;
  const many = Int32Array.from({ length: 1_100 }, (_, i) => (i * 613) % graph.nodeCount);
  const journeys = { sources: placesAt(many), targets: placesAt(some), direct: [{ source: 1_050, target: 3, milliseconds: 1, centimetres: 1 }] };
  const rowsDone = new Int32Array(new SharedArrayBuffer(4));
  const whole = manyToMany(hierarchy, journeys)!;
  expect(await travelRectangleInThread(hierarchy, journeys, { rowsDone })).toEqual(whole);
  expect(rowsDone[0]).toBe(1_100);
  expect(whole.seconds[1_050 * 12 + 3]).toBe(1);
  expect(await travelRectangleInThread(hierarchy, { sources: placesAt([]), targets: placesAt([]) })).toMatchObject({ rows: 0, columns: 0 });
  const cancel = new Int32Array(new SharedArrayBuffer(4));
  Atomics.store(cancel, 0, 1);
  expect(await travelRectangleInThread(hierarchy, journeys, { cancel })).toBeNull();
});
