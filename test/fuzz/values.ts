import fc from 'fast-check';
import type { Dice } from './dice.ts';
import type { Schema } from './document.ts';
import { agree, known } from './knowledge.ts';
import { dayAfter, type World } from './world.ts';

/** Where a value is drawn for. */
export interface Drawing {
  dice: Dice;
  world: World;
  resolved(schema: Schema): Schema;
  /** How likely a property that is not required is there. */
  optionalShare: number;
}

/** A value that the schema accepts; the name of the property that it is for says what may make sense there. */
export function valueOf(schema: Schema, drawing: Drawing, name = ''): unknown {
  const { dice } = drawing;
  const { type, enum: choices, const: only, oneOf, anyOf, readOnly, ...rest } = drawing.resolved(schema);
  if (readOnly) return dice.of(anything);
  if (only !== undefined) return only;
  const types = [type ?? []].flat() as string[];
  if (types.includes('null') && dice.chance(0.2)) return null;
  if (choices) return dice.pick(choices);
  if (oneOf ?? anyOf) return valueOf(dice.pick(oneOf ?? anyOf), drawing, name);
  if (known[name] && !dice.chance(0.03)) {
    const value = known[name](drawing, { type, ...rest });
    if (value !== undefined) return value;
  }
  return (byType[types.find((each) => each !== 'null') ?? ''] ?? (() => dice.of(anything)))(rest, drawing, name);
}

/** Any JSON. */
const anything = fc.jsonValue({ maxDepth: 2 });

const byType: Record<string, (schema: Schema, drawing: Drawing, name: string) => unknown> = {
  object: objectOf, array: arrayOf, string: textOf, integer: integerOf,
  boolean: (_schema, { dice }) => dice.chance(0.5),
  number: (schema, { dice }) => dice.weighted<() => unknown>([
    [3, () => dice.int(Math.ceil(schema.exclusiveMinimum ?? schema.minimum ?? -1_000), Math.floor(schema.maximum ?? 1_000)) || (schema.exclusiveMinimum === undefined ? 0 : 1)],
    [1, () => dice.of(fc.double({ min: schema.minimum ?? schema.exclusiveMinimum, minExcluded: schema.exclusiveMinimum !== undefined, max: schema.maximum, noNaN: true, noDefaultInfinity: true }))],
  ])(),
};

function objectOf({ properties = {}, required = [], additionalProperties }: Schema, drawing: Drawing): Record<string, unknown> {
  const { dice, optionalShare } = drawing;
  const names = Object.keys(properties).filter((name) => required.includes(name) || dice.chance(drawing.resolved(properties[name]).readOnly ? 0.03 : optionalShare));
  const value = Object.fromEntries(names.map((name) => [name, valueOf(properties[name], drawing, name)]));
  if (typeof additionalProperties === 'object') for (let left = dice.int(0, 3); left > 0; left--) value[dice.of(fc.string({ minLength: 1, maxLength: 8 }))] = valueOf(additionalProperties, drawing);
  if (dice.chance(0.9)) agree(value, drawing);
  return value;
}

function arrayOf({ items = {}, minItems = 0, maxItems = Infinity, uniqueItems }: Schema, drawing: Drawing): unknown[] {
  const { dice } = drawing;
  const length = Math.min(maxItems, minItems + dice.weighted<() => number>([[20, () => dice.int(0, 3)], [4, () => dice.int(0, 12)], [1, () => dice.int(0, 200)]])());
  const values = Array.from({ length }, () => valueOf(items, drawing));
  return uniqueItems ? [...new Map(values.map((value) => [JSON.stringify(value), value])).values()] : values;
}

/** Boundaries, small ones near the least, any. */
function integerOf({ minimum = -2_147_483_648, maximum = 2_147_483_647 }: Schema, { dice }: Drawing): number {
  return dice.weighted<() => number>([[1, () => minimum], [1, () => maximum], [6, () => dice.int(minimum, Math.min(maximum, minimum + 3_600))], [2, () => dice.int(minimum, maximum)]])();
}

const ids = fc.oneof(fc.stringMatching(/^[a-z]{2,6}-[0-9]{1,3}$/), fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }), fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 120 }));
const phrases = fc.oneof(fc.stringMatching(/^[A-Z][a-z]{2,8}( [a-z]{1,6}){0,2}$/), fc.string({ unit: 'grapheme' }), fc.lorem({ maxCount: 8 }));

/** Texts that are not blank; of one with a pattern (ids) the control characters are taken out. */
function textOf({ format, minLength = 0, maxLength = 300, pattern }: Schema, { dice, world }: Drawing, name: string): string {
  if (format) return formats[format]?.({ dice, world }, name) ?? dice.of(phrases);
  const characters = [...(pattern ? dice.of(ids).replaceAll(/\p{Cc}/gu, '') : dice.of(phrases))].slice(0, maxLength);
  if (minLength > 0 && characters.join('').trim() === '') characters.splice(0, Infinity, ...`x${dice.int(1, 999)}`);
  return characters.join('') + '-'.repeat(Math.max(0, minLength - characters.length));
}

const formats: Record<string, (drawing: Pick<Drawing, 'dice' | 'world'>, name: string) => string> = {
  uuid: ({ dice }) => dice.of(fc.uuid()),
  uri: ({ dice }) => dice.of(fc.webUrl()),
  date: ({ dice, world }) => dice.chance(0.9) ? dayAfter(world.monday, dice.weighted([[6, 0], [2, 1], [1, dice.int(-30, 60)]])) : dayAfter('0001-01-01', dice.int(0, 3_652_058)),
  'date-time': ({ dice, world }) => {
    const day = dayAfter(world.monday, dice.weighted([[8, 0], [2, 1], [1, dice.int(-10, 30)]]));
    if (dice.chance(0.05)) return new Date(dice.int(-62_135_596, 253_402_300) * 1_000_000).toISOString();
    const clock = `${two(dice.int(7, 12))}:${two(dice.pick([0, 0, 15, 30, dice.int(0, 59)]))}:00`;
    return `${day}T${clock}${dice.weighted([[4, '+01:00'], [2, 'Z'], [1, '.123456Z'], [1, '-00:00'], [1, '+14:00']])}`;
  },
};

const two = (value: number): string => String(value).padStart(2, '0');

/** The words of JSON Schema that are understood here; a test compares them with those of the document. */
export const understood = ['$ref', 'type', 'enum', 'const', 'oneOf', 'anyOf', 'readOnly', 'properties', 'required', 'additionalProperties', 'items', 'minItems', 'maxItems', 'uniqueItems', 'minLength', 'maxLength', 'pattern', 'format', 'minimum', 'maximum', 'exclusiveMinimum'];
