/**
 * Logarithm and power from the four basic operations, which IEEE 754 fixes to the last bit: `Math.log` and `Math.exp` may differ
 * between machines, and one different bit would be another plan.
 */
const LN2 = 0.6931471805599453;

/** ln x for x > 0: powers of two taken out, the rest by the series of artanh. */
export function naturalLog(x: number): number {
  let exponent = 0;
  let mantissa = x;
  while (mantissa > 1.5) {
    mantissa /= 2;
    exponent++;
  }
  while (mantissa < 0.75) {
    mantissa *= 2;
    exponent--;
  }
  const z = (mantissa - 1) / (mantissa + 1);
  const square = z * z;
  let power = z;
  let sum = 0;
  for (let k = 1; k < 40; k += 2) {
    sum += power / k;
    power *= square;
  }
  return 2 * sum + exponent * LN2;
}

/** e^x: the power of two nearest below, times a Taylor series for the rest. */
export function exponential(x: number): number {
  const doublings = Math.floor(x / LN2);
  const rest = x - doublings * LN2;
  let term = 1;
  let sum = 1;
  for (let k = 1; k < 25; k++) {
    term = term * rest / k;
    sum += term;
  }
  for (let k = 0; k < doublings; k++) sum *= 2;
  for (let k = 0; k > doublings; k--) sum /= 2;
  return sum;
}

/** `-ln u` for evenly spread u in (0, 1): what simulated annealing multiplies with the temperature. Indexed by random bits. */
export const NOISE_SIZE = 8192;
export const noise = Float64Array.from({ length: NOISE_SIZE }, (_, i) => -naturalLog((i + 0.5) / NOISE_SIZE));

/** The temperature when `share` of the budget is used up: it falls by the same factor in equal times. */
export function temperatureAt(share: number, range: { first: number; last: number }): number {
  return range.first * exponential(share * naturalLog(range.last / range.first));
}
