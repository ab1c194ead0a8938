import { createInterface } from 'node:readline/promises';
import type { Readable } from 'node:stream';
import { wrongUsage } from './failures.ts';
import type { Output } from './context.ts';

/** Questions to a person. Without a terminal there is nobody to ask, and the question is wrong usage. */
export interface Prompt {
  ask(question: string): Promise<string>;
  /** Without showing what is typed. */
  askSecret(question: string): Promise<string>;
}

type Input = Readable & { isTTY?: boolean; setRawMode?(isRaw: boolean): unknown };

export function terminalPrompt(stdin: () => Input, stderr: Output): Prompt {
  return {
    async ask(question) {
      const lines = createInterface({ input: stdin(), output: stderr as NodeJS.WritableStream, terminal: true });
      try {
        return (await lines.question(question)).trim();
      } finally {
        lines.close();
      }
    },
    async askSecret(question) {
      stderr.write(question);
      try {
        return await readHidden(stdin());
      } finally {
        stderr.write('\n');
      }
    },
  };
}

export const noPrompt: Prompt = {
  async ask(question) { throw nobodyToAsk(question); },
  async askSecret(question) { throw nobodyToAsk(question); },
};

const nobodyToAsk = (question: string) => wrongUsage(`there is no terminal to ask on: ${question.trim()}`);

const enter = ['\r', '\n', '\u0004'];
const erase = ['\u007f', '\b'];
const interrupt = '\u0003';

async function readHidden(stdin: Input): Promise<string> {
  stdin.setRawMode?.(true);
  try {
    return await new Promise<string>((resolve, reject) => {
      let typed = '';
      const onData = (chunk: Buffer | string) => {
        for (const character of chunk.toString()) {
          if (character === interrupt) return end(() => { reject(wrongUsage('left without an answer')); });
          if (enter.includes(character)) return end(() => { resolve(typed); });
          typed = erase.includes(character) ? [...typed].slice(0, -1).join('') : typed + character;
        }
      };
      const end = (settle: () => void) => {
        stdin.off('data', onData);
        settle();
      };
      stdin.on('data', onData);
      // A question before this one has left the stream paused.
      stdin.resume();
    });
  } finally {
    stdin.setRawMode?.(false);
    stdin.pause();
  }
}
