import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { UNREACHABLE } from '../../../core/roads/travel-matrix.ts';
import { findNativePackage } from '../../../core/valhalla/native-package.ts';
import { startQueryEngine } from '../../../core/valhalla/query-engine.ts';
import type { QueryEngine } from '../../../core/valhalla/query-engine.ts';
import type { Query } from '../../../core/valhalla/queries.ts';
import { recheckUnreachable } from '../../../core/valhalla/recheck-unreachable.ts';
import { travelTable } from '../../../core/valhalla/travel-table.ts';
import { at, describeValhalla, middles, townTiles } from './town-tiles.ts';

const about = { profile: { costing: 'auto' }, limitMetres: 200 } as const;

describeValhalla('a table that calls pairs unreachable', () => {
  let engine: QueryEngine;
  const queries: Query[] = [];
  beforeAll(async () => {
    engine = startQueryEngine({ tiles: await townTiles(), nativePackage: findNativePackage(), threads: 1, deadlineMs: 30_000 });
    const { ask } = engine;
    engine.ask = (query, signal) => { queries.push(query); return ask(query, signal); };
  });
  afterAll(async () => { await engine.close(); });
  const all = middles.map((_, i) => i);
  const located = { points: { sources: middles, targets: middles }, sources: all, targets: all };

  test('is given the routes between islands that do have a way', async () => {
    const right = await travelTable(engine, { sources: middles, targets: middles }, about);
    const size = middles.length;
    const wrong = { ...right, seconds: right.seconds.slice(), metres: right.metres.slice() };
    // As Valhalla's other algorithm did with Malta: no way to the islet and back.
    for (let i = 0; i < size - 1; i++) {
      for (const cell of [i * size + size - 1, (size - 1) * size + i]) wrong.seconds[cell] = wrong.metres[cell] = UNREACHABLE;
    }
    queries.length = 0;
    await recheckUnreachable(engine, wrong, located, about);
    expect([...wrong.seconds].map((seconds, cell) => Math.abs(seconds - right.seconds[cell]!) <= 60)).not.toContain(false);
    expect(queries).toHaveLength(2 * (size - 1));
  });

  test('is believed after one route for each two islands', async () => {
    const table = await travelTable(engine, { sources: middles, targets: middles }, about);
    table.seconds.fill(UNREACHABLE);
    queries.length = 0;
    const atSea = middles.map(() => [3, 55] as const);
    await recheckUnreachable(engine, table, { ...located, points: { sources: atSea, targets: middles } }, about);
    expect(queries).toHaveLength(1);
    expect(table.seconds.every((seconds) => seconds === UNREACHABLE)).toBe(true);
  });

  test('costs nothing where there is a way between all', async () => {
    queries.length = 0;
    await travelTable(engine, { sources: [at(0, 0.5), at(5, 3.5)], targets: [at(7.25, 2), at(11, 9.5)] }, about);
    expect(queries.map(({ kind }) => kind)).not.toContain('route');
  });

  test('is left as it is after some hundred routes', async () => {
    const many = Array.from({ length: 20 }, (_, i) => middles[i % middles.length]!);
    const table = await travelTable(engine, { sources: many, targets: many }, about);
    table.seconds.fill(UNREACHABLE);
    queries.length = 0;
    const everybody = many.map((_, i) => i);
    await recheckUnreachable(engine, table, { points: { sources: many, targets: many }, sources: everybody, targets: everybody }, about);
    expect(queries).toHaveLength(200);
    expect(table.seconds.filter((seconds) => seconds === UNREACHABLE)).toHaveLength(200);
  });
});
