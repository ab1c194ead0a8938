import { parseArgs } from 'node:util';
import { ConfigError, readConfig, variables } from '../core/config.ts';
import type { Config } from '../core/config.ts';
import { queueNames } from '../core/jobs/queue-payloads.ts';
import type { QueueName } from '../core/jobs/queue-payloads.ts';
import { processCommands } from './commands.ts';
import type { ProcessCommand, ProcessCommandName } from './commands.ts';
import { serve } from './serve.ts';
import type { Running } from './serve.ts';
import { StartError } from './start-error.ts';

/** The processes themselves come from the executable, the only one that knows all of them. */
export interface Processes {
  /** The file that starts each of them when it is run with the name of its command. */
  program: string;
  startDaemon(config: Config): Promise<Running>;
  startWorkers(config: Config, options: { queues?: QueueName[] }): Promise<Running>;
}

const CANNOT_START = 1;
const WRONG_USAGE = 2;

class UsageError extends Error {}

/** Runs one of the process commands to its end; the exit code. */
export async function runProcess(argv: string[], processes: Processes): Promise<number> {
  const command = processCommands.find((each) => each.name === argv[0])!;
  try {
    const { values } = parseOptions(command, argv.slice(1));
    if (values.help) {
      process.stdout.write(usage(command));
      return 0;
    }
    return await run[command.name](processes, values);
  } catch (error) {
    if (error instanceof UsageError || error instanceof ConfigError) return complain(error.message, WRONG_USAGE);
    if (error instanceof StartError) return complain(error.message, CANNOT_START);
    // Whoever starts a process wants to know why it did not start, so the whole story goes to the log.
    return complain(error instanceof Error ? (error.stack ?? error.message) : String(error), CANNOT_START);
  }
}

type Run = (processes: Processes, values: { queues?: string }) => Promise<number>;

const run: Record<ProcessCommandName, Run> = {
  up: async ({ program }) => {
    const { up } = await import('./up.ts');
    return up(process.env, program);
  },
  daemon: async ({ startDaemon }) => {
    const config = readConfig(process.env);
    return serve(() => startDaemon(config));
  },
  worker: async ({ startWorkers }, values) => {
    const queues = values.queues === undefined ? {} : { queues: parseQueues(values.queues) };
    const config = readConfig(process.env);
    return serve(() => startWorkers(config, queues));
  },
  migrate: async () => {
    const config = readConfig(process.env);
    const { migrateAll } = await import('./migrate.ts');
    const ran = await migrateAll(config);
    process.stdout.write(ran.length === 0 ? 'The database is up to date.\n' : ran.map((name) => `Ran ${name}\n`).join(''));
    return 0;
  },
};

function parseOptions(command: ProcessCommand, args: string[]): { values: { help?: boolean; queues?: string } } {
  const help = { type: 'boolean', short: 'h' } as const;
  try {
    return command.name === 'worker'
      ? parseArgs({ args, options: { help, queues: { type: 'string' } } })
      : parseArgs({ args, options: { help } });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function parseQueues(text: string): QueueName[] {
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.filter((name) => !queueNames.some((known) => known === name));
  if (unknown.length > 0) throw new UsageError(`--queues knows ${queueNames.join(', ')}, not ${JSON.stringify(unknown[0])}.`);
  return names as QueueName[];
}

function usage(command: ProcessCommand): string {
  const rows = variables.map((variable) => `  ${variable.name.padEnd(24)} ${variable.description}${variable.default ? ` (${variable.default})` : ''}`);
  return [`Usage: milkrun ${[command.name, command.usage].filter(Boolean).join(' ')}`, '', `${command.summary}.`, '', 'Environment:', ...rows, ''].join('\n');
}

function complain(message: string, code: number): number {
  process.stderr.write(`${message}\n`);
  return code;
}
