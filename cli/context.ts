import type { Readable } from 'node:stream';
import type { Client } from './client.ts';
import { createClient } from './client.ts';
import { systemClock, type Clock } from './clock.ts';
import { paintWith, type Paint } from './colours.ts';
import type { Command } from './command.ts';
import { openConfigStore, type ConfigStore } from './config-store.ts';
import { resolveConnection, type Connection } from './connection.ts';
import { wrongUsage } from './failures.ts';
import { noPrompt, terminalPrompt, type Prompt } from './prompt.ts';

export interface Output {
  write(text: string | Uint8Array): unknown;
  isTTY?: boolean;
  columns?: number;
}

/** What a process gives to a command line; `process` itself is one. */
export interface Streams {
  env: Record<string, string | undefined>;
  readonly stdin: Readable & { isTTY?: boolean };
  stdout: Output;
  stderr: Output;
  on?(signal: 'SIGINT', listener: () => void): unknown;
  off?(signal: 'SIGINT', listener: () => void): unknown;
}

/** Everything that a command may touch. */
export interface Context {
  client: Client;
  /** The same service with another credential, or without one. */
  clientAs(token: string | undefined): Client;
  connection: Connection;
  config: ConfigStore;
  prompt: Prompt;
  clock: Clock;
  env: Record<string, string | undefined>;
  stdin(): Readable;
  /** Somebody sits there and can answer. */
  isInteractive: boolean;
  /** stderr is a terminal on which lines can be drawn anew. */
  isLive: boolean;
  isJson: boolean;
  /** Of stdout. */
  paint: Paint;
  /** Columns of the terminal that stdout is; absent where it is none, and then nothing is cut. */
  widthMax: number | undefined;
  stdout: Output;
  stderr: Output;
  /** Data, on stdout. */
  print(text: string): void;
  printJson(value: unknown): void;
  /** All else, a line on stderr. */
  note(text: string): void;
  /** The business in the path; it must be chosen. */
  business(): string;
  /** Calls the listener on Ctrl-C instead of ending the process, until the answer is called. */
  onInterrupt(listener: () => void): () => void;
}

export interface GlobalFlags {
  url?: string;
  token?: string;
  business?: string;
  context?: string;
  timeout?: number;
  json?: boolean;
}

const timeoutSecondsDefault = 60;

export function createContext(flags: GlobalFlags, streams: Streams, command: Pick<Command, 'makesContext' | 'isDriver'>): Context {
  const { env, stdout, stderr } = streams;
  const config = openConfigStore(env);
  const connection = resolveConnection({ flags, env, config: config.read(), ...command });
  const isInteractive = Boolean(stderr.isTTY && streams.stdin.isTTY);
  const note = (text: string) => { stderr.write(`${text}\n`); };
  const timeoutMs = (flags.timeout ?? timeoutSecondsDefault) * 1000;
  const clientAs = (token: string | undefined) => createClient({ url: connection.url, token, timeoutMs, clock: systemClock, onWait: note });
  return {
    client: clientAs(connection.token), clientAs,
    connection, config, env, stdout, stderr, note, isInteractive,
    clock: systemClock,
    prompt: isInteractive ? terminalPrompt(() => streams.stdin, stderr) : noPrompt,
    stdin: () => streams.stdin,
    isLive: Boolean(stderr.isTTY) && env.TERM !== 'dumb' && !env.CI,
    isJson: flags.json ?? false,
    paint: paintWith(hasColour(env, stdout)),
    widthMax: stdout.isTTY ? (stdout.columns ?? 80) : undefined,
    print: (text) => { stdout.write(text); },
    printJson: (value) => { stdout.write(`${JSON.stringify(value, null, 2)}\n`); },
    business() {
      if (connection.business) return connection.business;
      throw wrongUsage('no business is chosen', 'choose one with: milkrun business use <id>; or name it with --business. Yours are listed by: milkrun businesses list');
    },
    onInterrupt(listener) {
      streams.on?.('SIGINT', listener);
      return () => { streams.off?.('SIGINT', listener); };
    },
  };
}

/** https://no-color.org: any text that is not empty turns colour off. */
function hasColour(env: Record<string, string | undefined>, stdout: Output): boolean {
  if (env.NO_COLOR) return false;
  return Boolean(stdout.isTTY) && env.TERM !== 'dumb';
}
