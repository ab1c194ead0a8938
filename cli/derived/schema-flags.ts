import type { JsonSchema } from '../../core/contract/operation.ts';
import { idSchema } from '../../core/contract/schemas.ts';
import { parseList, parseNumber, type OptionDeclaration } from '../command.ts';

/** A flag, and the place in the body or query that it fills. */
export interface SchemaFlag {
  path: readonly string[];
  /** The key under which the parsed options hold it. */
  key: string;
  options: readonly OptionDeclaration[];
}

type Properties = Record<string, JsonSchema>;

/**
 * Flags for the properties of an object: scalars, lists of texts, places as `latitude,longitude`, and one level of nested objects
 * (`--planning-travel-metric`). What is left of a body is given as JSON.
 */
export function flagsOf(schema: JsonSchema | undefined): SchemaFlag[] {
  const properties = (schema?.properties ?? {}) as Properties;
  return Object.entries(properties).flatMap(([name, property]) => {
    if (property.readOnly === true) return [];
    if (isGroup(property)) {
      const inner = Object.entries(property.properties as Properties).filter(([, each]) => each.readOnly !== true);
      return inner.flatMap(([child, each]) => flagOf([name, child], each) ?? []);
    }
    return flagOf([name], property) ?? [];
  });
}

export const flagName = (path: readonly string[]): string => `--${path.join('-').replaceAll('_', '-')}`;

export function flagOf(path: readonly string[], schema: JsonSchema): SchemaFlag | null {
  const name = flagName(path);
  const summary = [summaryOf(schema), defaultText(schema)].filter(Boolean).join(' ');
  const types = typesOf(schema);
  const key = attributeName(name);
  if (types.includes('boolean')) {
    return { path, key, options: [{ flags: name, summary }, { flags: `--no-${name.slice(2)}`, summary: `not ${name}` }] };
  }
  const value = valueOption(name, schema, types, summary);
  if (!value) return null;
  // Null empties a field, and a text could not say so.
  const empty = types.includes('null') ? [{ flags: `--no-${name.slice(2)}`, summary: `empty ${name}` }] : [];
  return { path, key, options: [value, ...empty] };
}

/** What the options say about the schema: nested as in the schema, absent what was not given. */
export function valuesOf(flags: readonly SchemaFlag[], options: Record<string, unknown>): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const { path, key, options: [first] } of flags) {
    const given = options[key];
    if (given === undefined) continue;
    const isEmptied = given === false && first.flags.includes('<');
    const target = path.slice(0, -1).reduce((node, name) => (node[name] ??= {}) as Record<string, unknown>, values);
    target[path.at(-1)!] = isEmptied ? null : given;
  }
  return values;
}

function valueOption(name: string, schema: JsonSchema, types: readonly string[], summary: string): OptionDeclaration | null {
  if (types.includes('string')) {
    const choices = (schema.enum as (string | null)[] | undefined)?.filter((choice) => choice !== null);
    return { flags: `${name} <${placeholder(schema)}>`, summary, ...(choices ? { choices } : {}) };
  }
  if (types.includes('integer') || types.includes('number')) return { flags: `${name} <n>`, summary, parse: (text) => parseWithin(text, schema, types.includes('integer')) };
  if (types.includes('array')) return listOption(name, schema, summary);
  if (isPlace(schema)) return { flags: `${name} <lat,lon>`, summary, parse: parsePlace };
  // A GeoJSON, working hours, values of custom fields: as JSON in the flag or in a file.
  if (types.includes('object')) return { flags: `${name} <json>`, summary: `${summary} JSON or @file`.trim(), parse: parseJsonText };
  return null;
}

function listOption(name: string, schema: JsonSchema, summary: string): OptionDeclaration {
  const items = (schema.items ?? {}) as JsonSchema;
  if (!typesOf(items).includes('string')) return { flags: `${name} <json>`, summary: `${summary} JSON or @file`.trim(), parse: parseJsonText };
  const known = items.enum as string[] | undefined;
  return {
    flags: `${name} <a,b>`, summary: [summary, known && `of: ${known.join(', ')}`].filter(Boolean).join(' '),
    parse(text, previous) {
      const values = parseList(text, previous);
      const unknown = values.find((value) => known && !known.includes(value));
      if (unknown !== undefined) throw new Error(`has no ${JSON.stringify(unknown)}; allowed are ${known!.join(', ')}`);
      return values;
    },
  };
}

/** `@file` is read when the command runs, because parsing reads nothing. */
function parseJsonText(text: string): unknown {
  if (text.startsWith('@')) return new FileText(text.slice(1));
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`is not JSON: ${(error as Error).message}`, { cause: error });
  }
}

export class FileText {
  readonly path: string;
  constructor(path: string) {
    this.path = path;
  }
}

function parseWithin(text: string, schema: JsonSchema, isInteger: boolean): number {
  const value = parseNumber(text);
  if (isInteger && !Number.isSafeInteger(value)) throw new Error('is not a whole number');
  const { minimum, maximum, exclusiveMinimum } = schema as { minimum?: number; maximum?: number; exclusiveMinimum?: number };
  if (minimum !== undefined && value < minimum) throw new Error(`must be at least ${minimum}`);
  if (exclusiveMinimum !== undefined && value <= exclusiveMinimum) throw new Error(`must be more than ${exclusiveMinimum}`);
  if (maximum !== undefined && value > maximum) throw new Error(`must be at most ${maximum}`);
  return value;
}

function parsePlace(text: string): { latitude: number; longitude: number } {
  const parts = text.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)));
  const [latitude, longitude] = parts;
  if (parts.length !== 2 || !parts.every(Number.isFinite)) throw new Error('is not a place such as 52.52,13.405 (latitude,longitude)');
  if (Math.abs(latitude) > 90) throw new Error('has a latitude beyond 90; latitude comes first');
  if (Math.abs(longitude) > 180) throw new Error('has a longitude beyond 180');
  return { latitude, longitude };
}

function typesOf(schema: JsonSchema): readonly string[] {
  return Array.isArray(schema.type) ? (schema.type as string[]) : [schema.type as string];
}

const isPlace = (schema: JsonSchema) => ['latitude', 'longitude'].every((name) => name in ((schema.properties ?? {}) as object));

/** A group merges field by field, so that nothing of it is required; what is replaced whole is given whole. */
function isGroup(schema: JsonSchema): boolean {
  return schema.type === 'object' && schema.properties !== undefined && schema.required === undefined;
}

/** As commander names it. */
const attributeName = (flag: string) => flag.slice(2).replaceAll(/-(.)/g, (_match, letter: string) => letter.toUpperCase());

const placeholder = (schema: JsonSchema) => ({ 'date-time': 'instant', date: 'date', uuid: 'uuid', uri: 'url' })[String(schema.format)] ?? 'text';

function summaryOf(schema: JsonSchema): string {
  // What every id is like is told once, in the documentation.
  if (schema.description === idSchema.description) return '';
  const text = String(schema.description ?? '').split('. ')[0].replace(/\.$/, '');
  return text === '' ? '' : (/^[A-Z][a-z]/.test(text) ? text[0].toLowerCase() + text.slice(1) : text);
}

const defaultText = (schema: JsonSchema) => (schema.default === undefined ? '' : `(${String(schema.default)})`);
