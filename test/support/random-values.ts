/**
 * Tests on random values draw the same ones in every run, so what was green stays green. `MILKRUN_TEST_SEED` draws others:
 * a whole number, or `random`.
 */

import fc from 'fast-check';

const seed = process.env.MILKRUN_TEST_SEED || '1';
if (!/^(-?\d+|random)$/.test(seed)) throw new Error(`MILKRUN_TEST_SEED is a whole number or "random", not "${seed}"`);
if (seed !== 'random') fc.configureGlobal({ seed: Number(seed) });
