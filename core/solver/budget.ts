/** The search ends when either is used up; with iterations alone the result does not depend on the machine. */
export interface Budget {
  iterations?: number;
  milliseconds?: number;
}

/** How much of the budget is used up after so many steps, from 0 to 1; the time for preparations counts. */
export function budgetShare({ iterations, milliseconds }: Budget, clock: () => number): (steps: number) => number {
  const started = clock();
  return (steps) => Math.max(
    iterations === undefined ? 0 : steps / iterations,
    milliseconds === undefined ? 0 : milliseconds > 0 ? (clock() - started) / milliseconds : 1,
  );
}
