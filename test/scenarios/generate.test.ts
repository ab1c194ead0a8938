import { expect, test } from '@jest/globals';
import { city } from '../../scenarios/generator/city.ts';
import { randomFrom } from '../../scenarios/generator/random.ts';
import { scenarioText } from '../../scenarios/generator/scenario.ts';
import { tiny } from '../../scenarios/generator/tiny.ts';
import { town } from '../../scenarios/generator/town.ts';
import { textOfScenario } from './read-scenario.ts';

test.each([['tiny', tiny], ['town', town], ['city', city]] as const)('%s.json is what the generator makes', (id, generate) => {
  // Not toBe: a difference in two megabytes is no message. Stale? npm run scenarios:generate
  const isFresh = scenarioText(generate().scenario) === textOfScenario(id);
  expect({ id, isFresh }).toEqual({ id, isFresh: true });
});

test('the random numbers are those of mulberry32', () => {
  // For seed 1, computed with integers of any size.
  const random = randomFrom(1);
  expect([1, 2, 3].map(() => random.below(2 ** 32))).toEqual([2693262067, 11749833, 2265367787]);
});
