import type { Operation } from '../../core/contract/operation.ts';
import { columnsOf, type Wire } from '../columns.ts';
import type { Input } from '../command.ts';
import type { Context } from '../context.ts';
import { wrongUsage } from '../failures.ts';
import { renderRecord } from '../record-view.ts';
import { renderTable } from '../table.ts';
import type { DerivedOperation } from './derive-command.ts';
import { fillPath } from './fill-path.ts';
import { listPages } from './list-pages.ts';
import { readData, readFileTexts } from './read-data.ts';
import { valuesOf, type SchemaFlag } from './schema-flags.ts';

/** Sends the operation as the command line says it, and shows the answer. */
export async function runOperation(derived: DerivedOperation, { operands, options }: Input, context: Context): Promise<void> {
  const answer = await sendOperation(derived, { operands, options }, context);
  if (derived.isList) showList(derived.noun, answer as { items: Wire[]; next_cursor: string | null }, context);
  else showAnswer(derived, operands, answer as Wire | undefined, context);
}

/** The answer; of a list all pages as one. */
export async function sendOperation(derived: DerivedOperation, { operands, options }: Input, context: Context): Promise<unknown> {
  const { operation, parameters } = derived;
  const path = fillPath(operation.path, Object.fromEntries(parameters.map((name, at) => [name, operands[at]])), context);
  const query = valuesOf(derived.queryFlags, options);
  if (derived.isList) {
    if (options.all && options.limit !== undefined) throw wrongUsage('--all and --limit contradict each other');
    return listPages(context.client, path, { query, limit: options.limit as number | undefined, cursor: options.cursor as string | undefined });
  }
  const body = operation.body ? await readBody(operation, derived.bodyFlags, options, context) : undefined;
  if (derived.question) await confirm(derived.question(operands.at(-1) ?? ''), options, context);
  return context.client.send({ method: operation.method, path, query, body });
}

async function readBody(operation: Operation, flags: readonly SchemaFlag[], options: Record<string, unknown>, context: Context): Promise<unknown> {
  const data = options.data === undefined ? undefined : await readData(options.data as string, context);
  const given = readFileTexts(valuesOf(flags, options));
  const isEmpty = Object.keys(given).length === 0;
  if (data === undefined && isEmpty && !operation.bodyOptional) {
    const names = flags.slice(0, 3).map(({ options: [{ flags: text }] }) => text.split(' ')[0]);
    throw wrongUsage('there is nothing to send', `give flags such as ${names.join(', ')}, or the body with --data`);
  }
  if (isEmpty) return wrapItems(data ?? {}, operation);
  if (data !== undefined && (data === null || typeof data !== 'object' || Array.isArray(data))) throw wrongUsage('--data must be a JSON object where flags are given too');
  return merge((data ?? {}) as Wire, given);
}

/** A body that is nothing but a list of items may be given as the list. */
function wrapItems(data: unknown, operation: Operation): unknown {
  const names = Object.keys((operation.body?.properties ?? {}) as object);
  return Array.isArray(data) && names.length === 1 && names[0] === 'items' ? { items: data } : data;
}

function merge(data: Wire, flags: Wire): Wire {
  const merged = { ...data };
  for (const [name, value] of Object.entries(flags)) {
    const isGroup = isPlainObject(value) && isPlainObject(merged[name]) && !('latitude' in value);
    merged[name] = isGroup ? { ...(merged[name] as Wire), ...value } : value;
  }
  return merged;
}

const isPlainObject = (value: unknown): value is Wire => typeof value === 'object' && value !== null && !Array.isArray(value);

export async function confirm(question: string, options: Record<string, unknown>, context: Context): Promise<void> {
  if (options.yes) return;
  if (!context.isInteractive) throw wrongUsage(`${question} Without a terminal this takes --yes`);
  const answer = await context.prompt.ask(`${question} [y/N] `);
  if (!/^y(es)?$/i.test(answer)) throw wrongUsage('left as it was');
}

function showList(noun: string, { items, next_cursor: cursor }: { items: Wire[]; next_cursor: string | null }, context: Context): void {
  if (context.isJson) return context.printJson({ items, next_cursor: cursor });
  if (items.length === 0) return context.note('none');
  context.print(renderTable(columnsOf[noun] ?? [{ title: 'id', value: ({ id }) => String(id) }], items, context));
  if (cursor !== null) context.note(`there are more; go on with --cursor ${cursor}`);
}

function showAnswer({ words }: DerivedOperation, operands: readonly string[], answer: Wire | undefined, context: Context): void {
  if (answer === undefined) {
    if (!context.isJson) context.note(`${[...words, ...operands].join(' ')}: done`);
    return;
  }
  if (context.isJson) return context.printJson(answer);
  context.print(renderRecord(answer, context.paint));
  const secret = ['key', 'activation_code', 'invitation_code'].find((name) => answer[name] !== undefined);
  if (secret) context.note(`the ${secret.replaceAll('_', ' ')} is shown only this once`);
}
