import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { childEnvironment } from './child-environment.ts';
import { ValhallaError } from './error.ts';
import { loadFailure } from './load-failure.ts';
import { findNativePackage } from './native-package.ts';
import type { NativePackage } from './native-package.ts';

const SECONDS_MAX = 30;

/**
 * What keeps Valhalla from running here, with the command that helps; null when it runs. Found by loading it, in children: what is
 * missing shows nowhere else, and a library that crashes takes nobody along.
 */
export async function valhallaProblem(find: () => NativePackage = findNativePackage): Promise<ValhallaError | null> {
  try {
    const { directory, programs } = find();
    await runs(process.execPath, ['-e', 'require(process.argv[1])', directory]);
    await runs(join(programs, 'valhalla_build_tiles'), ['--version']);
    return null;
  } catch (error) {
    if (error instanceof ValhallaError) return error;
    throw error;
  }
}

async function runs(program: string, args: string[]): Promise<void> {
  try {
    await promisify(execFile)(program, args, { env: childEnvironment(), timeout: SECONDS_MAX * 1000, killSignal: 'SIGKILL' });
  } catch (cause) {
    const { message, stderr = '', signal } = cause as Error & { stderr?: string; signal?: string };
    throw loadFailure(`${stderr}\n${message}`)
      ?? new ValhallaError('unavailable', `Valhalla (engine_a) can not run on this machine: ${signal ? `it ended with ${signal}` : message.split('\n')[0]}`, { output: stderr, cause });
  }
}
