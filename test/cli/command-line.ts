import { EventEmitter } from 'node:events';
import { join } from 'node:path';
import { PassThrough, Readable, Writable } from 'node:stream';
import type { Config } from '../../cli/config-store.ts';
import { openConfigStore } from '../../cli/config-store.ts';
import { main } from '../../cli/main.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** A person or a script at the command line, without a process: streams in memory and a configuration of its own. */
export interface CommandLine {
  env: Record<string, string | undefined>;
  run(argv: string[], options?: RunOptions): Promise<Ran>;
  config(): Config;
}

export interface RunOptions {
  env?: Record<string, string>;
  stdin?: string;
  /** stdin, stdout and stderr are a terminal; these lines are typed, each when the command waits for one. */
  typed?: string[];
  columns?: number;
  /** Told what is written to stderr as it comes, with a way to press Ctrl-C. */
  onNote?(text: string, interrupt: () => void): void;
}

export interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}

export const businessId = '0198c1a2-0000-7000-8000-000000000001';

export function commandLine(url: string, more: Record<string, string> = {}): CommandLine {
  const env = { MILKRUN_CONFIG: join(temporaryFolder(), 'config.json'), MILKRUN_URL: url, ...more };
  return {
    env,
    config: () => openConfigStore(env).read(),
    run: (argv, options = {}) => run(argv, { ...env, ...options.env }, options),
  };
}

/** One that is signed in and has chosen a business. */
export const signedIn = (url: string) => commandLine(url, { MILKRUN_TOKEN: 'ms_token', MILKRUN_BUSINESS: businessId });

async function run(argv: string[], env: Record<string, string | undefined>, { stdin = '', typed, columns = 80, onNote }: RunOptions): Promise<Ran> {
  const signals = new EventEmitter();
  const written = { stdout: '', stderr: '' };
  const keyboard = new PassThrough();
  const answers = [...(typed ?? [])];
  const output = (name: 'stdout' | 'stderr') => {
    const stream = new Writable({
      decodeStrings: false,
      write(chunk: string | Buffer, _encoding, done) {
        const text = chunk.toString();
        written[name] += text;
        // A question ends without a line break.
        if (name === 'stderr' && typed && /[:?\]] $/.test(text)) setImmediate(() => { keyboard.write(`${answers.shift() ?? ''}\r`); });
        if (name === 'stderr') onNote?.(text, () => { signals.emit('SIGINT'); });
        done();
      },
    });
    return Object.assign(stream, typed ? { isTTY: true, columns } : {});
  };
  const streams = Object.assign(signals, {
    env, stdout: output('stdout'), stderr: output('stderr'),
    stdin: typed ? Object.assign(keyboard, { isTTY: true, setRawMode() {} }) : Readable.from(stdin === '' ? [] : [stdin]),
  });
  const code = await main(argv, streams);
  return { code, ...written };
}
