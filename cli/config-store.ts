import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { CommandFailure, wrongUsage } from './failures.ts';
import { exitCodes } from './exit-codes.ts';

/** One service with a credential for it, under a name. */
export interface StoredContext {
  url: string;
  token?: string;
  business?: string;
}

export interface Config {
  /** The context that commands use when none is named. */
  current?: string;
  /** The one that driver commands use. */
  current_driver?: string;
  contexts: Record<string, StoredContext>;
}

export interface ConfigStore {
  readonly path: string;
  read(): Config;
  /** Reads, changes and writes; the file is whole at every moment. */
  change(edit: (config: Config) => void): void;
}

export function openConfigStore(env: Record<string, string | undefined>): ConfigStore {
  const path = configPath(env);
  const read = () => readConfig(path);
  return {
    path,
    read,
    change(edit) {
      const config = read();
      edit(config);
      writeConfig(path, config);
    },
  };
}

function configPath(env: Record<string, string | undefined>): string {
  if (env.MILKRUN_CONFIG) return env.MILKRUN_CONFIG;
  return join(env.XDG_CONFIG_HOME || join(env.HOME || homedir(), '.config'), 'milkrun', 'config.json');
}

function readConfig(path: string): Config {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { contexts: {} };
    throw wrongUsage(`the configuration ${path} can not be read: ${(error as Error).message}`);
  }
  try {
    const config = JSON.parse(text) as Partial<Config> | null;
    if (config === null || typeof config !== 'object' || (config.contexts !== undefined && typeof config.contexts !== 'object')) throw new Error('it has no "contexts"');
    // Without a prototype, or a context called `constructor` would seem to be there.
    return { ...config, contexts: Object.assign(Object.create(null) as object, config.contexts) };
  } catch (error) {
    throw wrongUsage(`the configuration ${path} is damaged: ${(error as Error).message}`, `mend it or remove it: rm ${path}`);
  }
}

/** It holds tokens, so that nobody else may read it; and it is renamed into place, so that a crash leaves the old one. */
function writeConfig(path: string, config: Config): void {
  const draft = `${path}.${randomUUID()}`;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(draft, `${JSON.stringify(config, null, 2)}\n`, { mode: 0o600, flush: true });
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw new CommandFailure(exitCodes.failure, `the configuration ${path} can not be written: ${(error as Error).message}`);
  }
}
