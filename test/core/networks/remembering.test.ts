import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { remembering, type Rectangle } from '../../../core/networks/remembering.ts';

interface Spot {
  number: number;
}

const spots = Array.from({ length: 60 }, (_, number): Spot => ({ number }));
const secondsBetween = (a: Spot, b: Spot): number => a.number * 1_000 + b.number;

/** Roads that count how many ways they were asked for. */
function roads() {
  const asked: [rows: number, columns: number][] = [];
  const rectangle: Rectangle<Spot> = async (from, to, cancel) => {
    if (cancel && Atomics.load(cancel, 0) !== 0) return null;
    asked.push([from.length, to.length]);
    const seconds = Int32Array.from(from.flatMap((a) => to.map((b) => secondsBetween(a, b))));
    return { seconds, metres: seconds.map((value) => 7 * value) };
  };
  return { asked, rectangle };
}

describe('remembered travel', () => {
  test('is that of the roads, whatever was asked before', async () => {
    const some = fc.uniqueArray(fc.nat(spots.length - 1), { minLength: 1, maxLength: 25 });
    await fc.assert(fc.asyncProperty(fc.array(fc.tuple(some, some, fc.boolean()), { maxLength: 8 }), fc.integer({ min: 5, max: 60 }), async (questions, spotsMax) => {
      const ask = remembering(roads().rectangle, spotsMax);
      for (const [rows, columns, isSquare] of questions) {
        const from = rows.map((number) => spots[number]);
        const to = isSquare ? from : columns.map((number) => spots[number]);
        const { seconds, metres } = (await ask(from, to))!;
        const expected = from.flatMap((a) => to.map((b) => secondsBetween(a, b)));
        expect([Array.from(seconds), Array.from(metres)]).toEqual([expected, expected.map((value) => 7 * value)]);
      }
    }));
  });

  test('with one place more costs its row and its column', async () => {
    const { asked, rectangle } = roads();
    const ask = remembering(rectangle);
    const known = spots.slice(0, 20);
    await ask(known, known);
    await ask(known, known);
    expect(asked).toEqual([[20, 20]]);
    const more = [...known, spots[40]];
    await ask(more, more);
    expect(asked.slice(1)).toEqual([[1, 21], [20, 1]]);
    await ask(known.slice(3).toReversed(), [spots[40]]);
    expect(asked).toHaveLength(3);
  });

  test('of many others is computed at once, and what is too much is not remembered', async () => {
    const { asked, rectangle } = roads();
    const ask = remembering(rectangle, 30);
    for (const [first, end] of [[0, 20], [20, 40], [0, 20], [0, 40], [0, 20]] as const) await ask(spots.slice(first, end), spots.slice(first, end));
    expect(asked).toEqual([[20, 20], [20, 20], [20, 20], [40, 40]]);
  });

  test('that was cancelled is nothing', async () => {
    const { rectangle } = roads();
    const ask = remembering(rectangle);
    const cancel = new Int32Array(new SharedArrayBuffer(4));
    await ask(spots.slice(0, 3), spots.slice(0, 3));
    cancel[0] = 1;
    expect(await ask(spots.slice(0, 4), spots.slice(0, 4), cancel)).toBeNull();
    cancel[0] = 0;
    expect(Array.from((await ask([spots[3]], [spots[0]], cancel))!.seconds)).toEqual([3_000]);
  });

  test('two questions at once do not disturb each other', async () => {
    const ask = remembering(roads().rectangle, 30);
    const answers = await Promise.all([0, 10, 20, 25].map((first) => ask(spots.slice(first, first + 25), spots.slice(first, first + 25))));
    answers.forEach((answer, index) => expect(answer!.seconds[1]).toBe(secondsBetween(spots[[0, 10, 20, 25][index]], spots[[0, 10, 20, 25][index] + 1])));
  });
});
