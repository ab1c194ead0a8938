import { createHash } from 'node:crypto';
import fc, { type Arbitrary, type Random } from 'fast-check';

/** Draws from one stream of chance. The same seeds give the same draws, whatever was drawn for other requests. */
export interface Dice {
  /** From `min` to `max`, both included. */
  int(min: number, max: number): number;
  /** True in this share of all cases. */
  chance(share: number): boolean;
  pick<T>(list: readonly T[]): T;
  /** Picks by weight: `[[weight, value], …]`. */
  weighted<T>(list: readonly (readonly [number, T])[]): T;
  /** A value of an arbitrary, now and then one of its edge cases. */
  of<T>(arbitrary: Arbitrary<T>): T;
}

export function diceOf(...seeds: number[]): Dice {
  const seed = createHash('sha256').update(seeds.join(':')).digest().readInt32LE();
  const [random] = fc.sample(new Itself(), { seed, numRuns: 1 });
  const dice: Dice = {
    int: (min, max) => random.nextInt(min, max),
    chance: (share) => random.nextDouble() < share,
    pick: (list) => list[random.nextInt(0, list.length - 1)],
    weighted(list) {
      let left = random.nextDouble() * list.reduce((sum, [weight]) => sum + weight, 0);
      for (const [weight, value] of list) if ((left -= weight) < 0) return value;
      return list.at(-1)![1];
    },
    of: (arbitrary) => arbitrary.generate(random, edgesOneIn).value,
  };
  return dice;
}

const edgesOneIn = 5;

/** The arbitrary whose values are the source of chance itself, so that drawing can be written as plain code. */
class Itself extends fc.Arbitrary<Random> {
  override generate(random: Random) {
    return new fc.Value(random.clone(), undefined);
  }

  override canShrinkWithoutContext(value: unknown): value is Random {
    return value === undefined;
  }

  override shrink() {
    return fc.Stream.nil<fc.Value<Random>>();
  }
}
