import { readFileSync } from 'node:fs';
import { text as textOf } from 'node:stream/consumers';
import type { Context } from '../context.ts';
import { wrongUsage } from '../failures.ts';
import { FileText } from './schema-flags.ts';

/** What --data names: JSON, `@file` or `-` for standard input. */
export async function readData(given: string, context: Pick<Context, 'stdin'>): Promise<unknown> {
  if (given === '-') return parse(await textOf(context.stdin()), 'standard input');
  return given.startsWith('@') ? readJsonFile(given.slice(1)) : parse(given, '--data');
}

export function readJsonFile(path: string): unknown {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw wrongUsage(`${path} can not be read: ${(error as NodeJS.ErrnoException).code ?? (error as Error).message}`);
  }
  return parse(text, path);
}

/** Values of flags that name a file are replaced by what the file holds. */
export function readFileTexts(values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value instanceof FileText ? readJsonFile(value.path) : value]));
}

function parse(text: string, from: string): unknown {
  try {
    // A byte order mark is no part of the text.
    return JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (error) {
    throw wrongUsage(`${from} is not JSON: ${(error as Error).message}`);
  }
}
