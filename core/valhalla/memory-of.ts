import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/**
 * Megabytes of a process that nothing but its end gives back; 0 when it is gone. Mapped files do not count where the system tells
 * them apart: it drops those by itself when memory runs short, and building maps all its temporary files.
 */
export async function memoryOf(pid: number): Promise<number> {
  try {
    if (process.platform === 'linux') return anonymousMegabytes(await readFile(`/proc/${pid}/status`, 'utf8'));
    const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)]);
    return Number(stdout) / 1024;
  } catch {
    return 0;
  }
}

function anonymousMegabytes(status: string): number {
  let kilobytes = 0;
  for (const [, amount] of status.matchAll(/^Rss(?:Anon|Shmem):\s+(\d+) kB$/gm)) kilobytes += Number(amount);
  return kilobytes / 1024;
}
