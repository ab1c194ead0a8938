import type { Matrix } from './problem.ts';

/**
 * A number for each place, so that places near one another have numbers near one another: what the search asks for together lies together in a row of the
 * matrix then, and in the cache. The nearest of those that have none yet always comes next, from the first place on.
 */
export function numberPlaces({ size, seconds }: Matrix): Int32Array {
  const numbers = new Int32Array(size);
  const left = Int32Array.from({ length: size }, (_, place) => place);
  let at = 0;
  for (let number = 1; number < size; number++) {
    // `left` begins with what already has a number: in the end it is all of them in their order.
    let nearest = number;
    for (let i = number; i < size; i++) if (seconds[at * size + left[i]] < seconds[at * size + left[nearest]]) nearest = i;
    at = left[nearest];
    left[nearest] = left[number];
    left[number] = at;
    numbers[at] = number;
  }
  return numbers;
}

/** Copies a matrix to where places have other numbers. */
export function renumber(from: Int32Array, to: Int32Array, numbers: Int32Array): void {
  const { length: size } = numbers;
  for (let place = 0; place < size; place++) {
    const row = place * size;
    const rowTo = numbers[place] * size;
    for (let other = 0; other < size; other++) to[rowTo + numbers[other]] = from[row + other];
  }
}
