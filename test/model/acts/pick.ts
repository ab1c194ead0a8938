/** The n-th of some things, however few there are; null where there are none. */
export const pick = <T>(from: readonly T[], n: number): T | null => (from.length === 0 ? null : from[n % from.length]);

/** Those whose bit is set. */
export const some = <T>(from: readonly T[], bits: number): T[] => from.filter((_each, index) => (bits >> index) % 2 === 1);
