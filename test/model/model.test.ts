import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import pg from 'pg';
import { stopClock, type TestClock } from '../support/clock.ts';
import { startService, type TestService } from '../support/service.ts';
import { commandOf } from './act.ts';
import { actions, preludes } from './commands.ts';
import { seasons } from './calendar.ts';
import type { Model } from './state.ts';
import { newWorld, type Real } from './world.ts';

/**
 * Random sequences of what administrators, integrations and drivers do, against the real service and a model of what should come of
 * it. The model says beforehand how each request is answered; after each step everything that can be seen has to agree with it, and
 * invariants that know nothing of the model have to hold. More of it: `MILKRUN_MODEL_RUNS=500 MILKRUN_MODEL_SEED=7 npm test -- test/model`.
 */

const number = (name: string, otherwise: number): number => Number(process.env[name] ?? otherwise);
const runs = number('MILKRUN_MODEL_RUNS', 12);
const seed = number('MILKRUN_MODEL_SEED', 20_310_330);
const stepsMax = number('MILKRUN_MODEL_STEPS', 40);

let service: TestService;
let clock: TestClock;
let db: pg.Client;
beforeAll(async () => {
  clock = stopClock(seasons.spring.startMs);
  service = await startService({ workers: true });
  db = new pg.Client({ connectionString: service.databaseUrl });
  await db.connect();
});
afterAll(async () => {
  await db.end();
  await service.close();
  clock.restore();
});

test('whatever is done, in whatever order, comes out as the model says', async () => {
  let steps = 0;
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...Object.keys(seasons)), fc.constantFrom(...Object.keys(preludes)), fc.commands(actions, { maxCommands: stepsMax, size: 'max' }), async (season, prelude, commands) => {
      let real: Real | undefined;
      try {
        await fc.asyncModelRun(async () => {
          const world = await newWorld({ service, clock, db }, seasons[season]);
          real = world.real;
          const state: { model: Model; log: string[] } = { model: world.model, log: [] };
          for (const act of preludes[prelude]) if (act(state.model)) await commandOf(act, 'prelude').run(state, real);
          return { model: state, real };
        }, commands);
      } finally {
        steps += real?.steps ?? 0;
      }
    }),
    { numRuns: runs, seed, endOnFailure: process.env.MILKRUN_MODEL_SHRINK !== 'yes', ...(process.env.MILKRUN_MODEL_PATH ? { path: process.env.MILKRUN_MODEL_PATH } : {}) },
  );
  expect(steps).toBeGreaterThan(runs);
  if (process.env.MILKRUN_MODEL_RUNS) process.stderr.write(`${runs} sequences, ${steps} steps, seed ${seed}\n`);
}, 60_000 + runs * 30_000);
