import type { JsonSchema, Operation } from '../../core/contract/operation.ts';
import { parseInteger, type Command, type OperandDeclaration, type OptionDeclaration } from '../command.ts';
import { nouns } from '../nouns.ts';
import type { Placement } from '../placement.ts';
import { flagOf, flagsOf, type SchemaFlag } from './schema-flags.ts';

/** Everything about an operation that its command needs. */
export interface DerivedOperation {
  operation: Operation;
  noun: string;
  words: readonly string[];
  /** Parameters of the path that stand after the verb; the business is chosen elsewhere. */
  parameters: readonly string[];
  bodyFlags: readonly SchemaFlag[];
  queryFlags: readonly SchemaFlag[];
  isList: boolean;
  question?: (id: string) => string;
}

/** The `<noun> <verb>` command of an operation. */
export function deriveCommand(operation: Operation, placement: Extract<Placement, { by: string }>, more: { options?: readonly OptionDeclaration[] } = {}): Command {
  const derived = describe(operation, placement);
  return {
    words: placement.words,
    summary: operation.summary,
    ...(operation.description ? { description: operation.description } : {}),
    operands: derived.parameters.map((name) => operandOf(name, derived.noun)),
    options: [...optionsOf(derived), ...(more.options ?? [])],
    isDriver: operation.access.kind === 'driver',
    async run(input, context) {
      const { runOperation } = await import('./run-operation.ts');
      return runOperation(derived, input, context);
    },
  };
}

export function describe(operation: Operation, placement: Extract<Placement, { by: string }>): DerivedOperation {
  const isList = hasCursor(operation);
  // The pages are turned by the command itself.
  const query = Object.entries(operation.query ?? {}).filter(([name]) => !isList || !['cursor', 'limit'].includes(name));
  return {
    operation, isList,
    noun: placement.words[0],
    words: placement.words,
    parameters: [...operation.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]).filter((name) => name !== 'id'),
    bodyFlags: flagsOf(operation.body),
    queryFlags: query.flatMap(([name, schema]) => flagOf([name], schema) ?? []),
    ...('question' in placement && placement.question ? { question: placement.question } : {}),
  };
}

function optionsOf({ operation, bodyFlags, queryFlags, isList, question }: DerivedOperation): OptionDeclaration[] {
  return [
    ...bodyFlags.flatMap(({ options }) => markRequired(options, operation)),
    ...queryFlags.flatMap(({ options }) => options),
    ...(operation.body ? [{ flags: '--data <json>', summary: 'the body as JSON, @file or - for standard input; flags win over it' }] : []),
    ...(isList ? pageOptions : []),
    ...(question ? [{ flags: '-y, --yes', summary: 'do not ask' }] : []),
  ];
}

/** They may come in --data as well, so that they are marked and not demanded. */
function markRequired(options: readonly OptionDeclaration[], { body, method }: Operation): readonly OptionDeclaration[] {
  const required = method === 'POST' ? ((body as JsonSchema).required as string[] | undefined) ?? [] : [];
  const isRequired = ({ flags }: OptionDeclaration) => required.some((name) => flags.split(' ')[0] === `--${name.replaceAll('_', '-')}`);
  return options.map((option) => (isRequired(option) ? { ...option, summary: `${option.summary} (required)`.trim() } : option));
}

const pageOptions: OptionDeclaration[] = [
  { flags: '--all', summary: 'every page (as without --limit)' },
  { flags: '--limit <n>', summary: 'so many at most', parse: parseLimit },
  { flags: '--cursor <text>', summary: 'go on from the next_cursor of an earlier list' },
];

function parseLimit(text: string): number {
  const value = parseInteger(text);
  if (value < 1) throw new Error('must be at least 1');
  return value;
}

function operandOf(parameter: string, noun: string): OperandDeclaration {
  const singular = parameter === 'record_id' ? (nouns[noun]?.singular ?? 'record') : parameter.replace(/_id$/, '');
  return { name: `${singular}-id`, summary: `id of the ${singular}` };
}

function hasCursor({ answer }: Operation): boolean {
  const properties = (answer?.properties ?? {}) as Record<string, unknown>;
  return 'items' in properties && 'next_cursor' in properties;
}
