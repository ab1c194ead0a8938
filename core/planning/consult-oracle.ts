import { Piscina } from 'piscina';
import type { OracleAnswer, OracleTask } from './oracle-thread.ts';

let pool: Piscina | undefined;

/** Inserts what still fits and explains the rest, in a thread. */
export async function consultOracle(task: OracleTask): Promise<OracleAnswer> {
  pool ??= new Piscina({ filename: new URL('./oracle-thread.ts', import.meta.url).href, name: 'consultOracle', minThreads: 0, maxThreads: 1, idleTimeout: 5_000 });
  return (await pool.run(task)) as OracleAnswer;
}

export async function closeOracle(): Promise<void> {
  const closing = pool;
  pool = undefined;
  await closing?.destroy();
}
