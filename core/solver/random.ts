/** A stream of random numbers that is the same on every machine: sfc32 by Chris Doty-Humphrey (PractRand), integers only. */
export interface Random {
  /** 32 random bits, as a signed integer. */
  bits(): number;
  /** A whole number in [0, count). */
  below(count: number): number;
  /** A number in [0, 1). */
  fraction(): number;
}

export function createRandom(seed: number): Random {
  let a = 0x9e3779b9 | 0;
  let b = seed | 0;
  let c = Math.floor(seed / 0x100000000) | 0;
  let counter = 1;
  const bits = (): number => {
    const t = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + t) | 0;
    return t;
  };
  for (let i = 0; i < 15; i++) bits();
  // The product is exact in a double for any count below 2^21, and evenly spread for all that we count.
  return { bits, below: (count) => Math.floor((bits() >>> 0) * count / 0x100000000), fraction: () => (bits() >>> 0) / 0x100000000 };
}

/** A seed for the nth of several searches that share one seed. */
export function deriveSeed(seed: number, nth: number): number {
  const random = createRandom(seed);
  let derived = 0;
  for (let i = 0; i <= nth; i++) derived = (random.bits() >>> 0) + (random.bits() & 0xfffff) * 0x100000000;
  return derived;
}
