/** The order of points along a Hilbert curve over their bounds; equal ones keep theirs. https://en.wikipedia.org/wiki/Hilbert_curve */
export function hilbertOrder(x: Float64Array, y: Float64Array): Int32Array {
  const count = Math.max(1, x.length);
  // The place on the curve and the index share the 53 bits of a double, so that plain numbers are sorted.
  const bits = Math.min(16, Math.floor((52 - Math.ceil(Math.log2(count + 1))) / 2));
  const [column, row] = [scaleTo(2 ** bits - 1, x), scaleTo(2 ** bits - 1, y)];
  const keys = new Float64Array(x.length);
  for (let i = 0; i < x.length; i++) keys[i] = hilbertPlace(bits, column(x[i]), row(y[i])) * count + i;
  keys.sort();
  return Int32Array.from(keys, (key) => key % count);
}

function scaleTo(most: number, values: Float64Array): (value: number) => number {
  let least = Infinity;
  let greatest = -Infinity;
  for (const value of values) {
    least = Math.min(least, value);
    greatest = Math.max(greatest, value);
  }
  const factor = greatest > least ? most / (greatest - least) : 0;
  return (value) => Math.round((value - least) * factor);
}

function hilbertPlace(bits: number, column: number, row: number): number {
  const last = 2 ** bits - 1;
  let [x, y] = [column, row];
  let place = 0;
  for (let side = 2 ** (bits - 1); side >= 1; side /= 2) {
    const isRight = (x & side) > 0 ? 1 : 0;
    const isUpper = (y & side) > 0 ? 1 : 0;
    place += side * side * ((3 * isRight) ^ isUpper);
    if (isUpper === 0) {
      if (isRight === 1) {
        x = last - x;
        y = last - y;
      }
      [x, y] = [y, x];
    }
  }
  return place;
}
