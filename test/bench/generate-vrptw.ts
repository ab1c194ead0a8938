/**
 * Writes instances that are like the published ones and none of them, to judge a search by what it was not tuned on:
 *
 *     npm run --silent bench:generate -- --out DIR [--seed 1] [--sizes 100,200,400,1000] [--each 1]
 *
 * Of each size and number one instance for every kind of map, windows and horizon drawn in turn (below). The same seed gives the same files. Distances
 * to compare with are made by a long run of our own: `npm run bench:solver -- --instances DIR --seconds 120 --record`.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createRandom, deriveSeed } from '../../core/solver/random.ts';
import { vrptwInstance } from '../support/vrptw-instance.ts';

const { values: options } = parseArgs({
  options: { out: { type: 'string' }, seed: { type: 'string', default: '1' }, sizes: { type: 'string', default: '100,200,400,1000' }, each: { type: 'string', default: '1' } },
});
if (options.out === undefined) throw new Error('--out DIR names the folder for the instances.');

mkdirSync(options.out, { recursive: true });
const seed = Number(options.seed);
let nth = 0;
for (const customers of options.sizes.split(',').map(Number)) {
  for (let i = 0; i < Number(options.each); i++) {
    for (const map of ['scattered', 'towns', 'mixed'] as const) {
      for (const horizon of ['short', 'long'] as const) {
        const random = createRandom(deriveSeed(seed, nth++));
        const name = `${map}-${horizon}-${customers}-${seed}-${i + 1}`;
        const windows = (['narrow', 'wide', 'some'] as const)[random.below(3)];
        writeFileSync(join(options.out, `${name}.txt`), vrptwInstance(random, { name, customers, map, horizon, windows }));
      }
    }
  }
}
