import { expect, test } from '@jest/globals';
import { createRandom, deriveSeed } from '../../../core/solver/random.ts';

test('one seed gives one stream, another seed another one', () => {
  const draw = (seed: number) => Array.from({ length: 5 }, createRandom(seed).bits);
  expect(draw(1)).toEqual(draw(1));
  expect(draw(1)).not.toEqual(draw(2));
  expect(draw(1)).not.toEqual(draw(1 + 2 ** 32));
});

test('the stream is the same on every machine', () => {
  expect(Array.from({ length: 3 }, createRandom(42).bits)).toEqual([-412002858, 1177149777, 1632668721]);
});

test('below gives every number about equally often', () => {
  const random = createRandom(3);
  const counts = [0, 0, 0, 0, 0];
  for (let i = 0; i < 50_000; i++) counts[random.below(5)]++;
  for (const count of counts) expect(Math.abs(count - 10_000)).toBeLessThan(400);
});

test('searches that share a seed have seeds of their own', () => {
  const seeds = [0, 1, 2, 3].map((nth) => deriveSeed(9, nth));
  expect(new Set(seeds).size).toBe(4);
  for (const seed of seeds) expect(Number.isSafeInteger(seed)).toBe(true);
});
