import { expect, test } from '@jest/globals';
import { construct, createSearcher } from '../../../core/solver/anneal.ts';
import { compile } from '../../../core/solver/compile.ts';
import { findAnywhere, findNear } from '../../../core/solver/insertion.ts';
import { resetPlace } from '../../../core/solver/place.ts';
import { createRandom } from '../../../core/solver/random.ts';
import { refresh } from '../../../core/solver/refresh.ts';
import { loadStart } from '../../../core/solver/start.ts';
import { unlink } from '../../../core/solver/state.ts';
import { rollback, saveSlot } from '../../../core/solver/undo.ts';
import { readSolomon } from '../../support/solomon.ts';
import { vrptwInstance } from '../../support/vrptw-instance.ts';

test('who looks further finds places that are no dearer, among them some that lie beside none of the likeliest neighbours', () => {
  const instance = vrptwInstance(createRandom(1), { name: 'towns', customers: 300, map: 'towns', horizon: 'short', windows: 'some' });
  const searcher = createSearcher(compile(readSolomon(instance).problem), 1);
  const { state, finder, undo } = searcher;
  loadStart(state, finder);
  construct(searcher);
  const reachUsual = finder.reach;
  finder.sight = Infinity;

  const costAt = (task: number, reach: number): number => {
    finder.reach = reach;
    resetPlace(finder);
    findNear(state, finder, task);
    return finder.travel;
  };
  let cheaper = 0;
  for (const task of state.loose) {
    const slot = state.slotOf[task];
    saveSlot(undo, state, slot);
    unlink(state, task);
    expect(refresh(state, slot)).toBe(true);
    const usual = costAt(task, reachUsual);
    const wide = costAt(task, state.compiled.besideCount);
    resetPlace(finder);
    findAnywhere(state, finder, task);
    expect(wide).toBeLessThanOrEqual(usual);
    expect(finder.travel).toBeLessThanOrEqual(wide);
    if (wide < usual) cheaper++;
    rollback(undo, state);
  }
  expect([reachUsual, state.compiled.besideCount]).toEqual([40, 200]);
  expect(cheaper).toBeGreaterThan(10);
});

test('where only a few tasks are to be placed, no more neighbours are kept than are looked at', () => {
  const { problem } = readSolomon(vrptwInstance(createRandom(1), { name: 'few', customers: 120, map: 'mixed', horizon: 'long', windows: 'wide' }));
  problem.tasks.forEach((task, i) => {
    if (i >= 20) task.shifts = [];
  });
  expect(compile(problem).besideCount).toBe(40);
});
