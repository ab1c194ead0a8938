import fc from 'fast-check';
import type { Dice } from './dice.ts';

/** A JSON value with one thing changed somewhere in it; always a copy. */
export function spoiltValue(value: unknown, dice: Dice): unknown {
  const copy: unknown = structuredClone(value);
  const places = placesIn(copy);
  if (places.length === 0 || dice.chance(0.05)) return oddValue(dice);
  const place = dice.pick(places);
  dice.weighted(changes)(place, dice);
  return copy;
}

interface Place {
  holder: any;
  key: string | number;
}

/** Every property and item, those of the outermost object as often as all the others. */
function placesIn(value: unknown): Place[] {
  const outer = directPlaces(value);
  const inner = outer.flatMap(({ holder, key }) => allPlaces(holder[key], 5));
  return [...outer, ...inner.slice(0, 400), ...Array(Math.min(20, inner.length)).fill(outer).flat()];
}

const allPlaces = (value: unknown, depth: number): Place[] => (depth === 0 ? [] : directPlaces(value).flatMap((place) => [place, ...allPlaces(place.holder[place.key], depth - 1)]));
const directPlaces = (value: unknown): Place[] => (typeof value !== 'object' || value === null ? [] : Object.keys(value).slice(0, 60).map((key) => ({ holder: value, key: Array.isArray(value) ? Number(key) : key })));

type Change = (place: Place, dice: Dice) => void;

const changes: [number, Change][] = [
  [6, ({ holder, key }, dice) => { holder[key] = oddValue(dice); }],
  [4, ({ holder, key }, dice) => { holder[key] = oddLike(holder[key], dice); }],
  [3, ({ holder, key }) => { if (Array.isArray(holder)) holder.splice(key as number, 1); else delete holder[key]; }],
  [2, ({ holder }, dice) => { if (!Array.isArray(holder)) holder[dice.pick(oddNames)] = oddValue(dice); }],
  [1, ({ holder, key }, dice) => { holder[key] = Array.isArray(holder[key]) ? Array(dice.pick([2, 30, 1_001, 2_000])).fill(holder[key][0] ?? 1) : [holder[key]]; }],
  [1, ({ holder, key }, dice) => { holder[key] = nested(dice.pick([5, 200, 6_000, 60_000]), dice.chance(0.5)); }],
];

/** Texts that databases, file systems, browsers and parsers have stumbled over. */
const oddTexts = [
  '', ' ', '\u0000', 'a\u0000b', '\ud800', '\udfff\ud800', 'a\ud83db', '\u202e\u200b\ufeff', '\u0085\u2028\u2029', '\r\n', '\t', 'é'.normalize('NFD'), '🧑‍🚒'.repeat(30), 'ǅ', 'İ', 'ß', "'; drop table orders; --", '%_\\', '$1', '?', '${7*7}',
  '<script>', '../../etc/passwd', '__proto__', 'constructor', 'null', 'NaN', '0x10', '1e400', '-0', '2026-02-30', '2026-03-02T25:00:00Z', '2026-03-02T08:00:00', '0000-01-01T00:00:00Z', '0001-01-01T00:00:00+14:00', '9999-12-31T23:59:60Z', '+275760-09-13T00:00:00Z', '9999-12-31T23:59:59-23:59', '0000-12-31',
  'x'.repeat(121), 'y'.repeat(10_000), '𝟘'.repeat(120), 'z'.repeat(300_000), `${' '.repeat(200)}name`, 'Europe/Nowhere', '* * * * *', '60 * * * *', 'http://localhost/', 'https://[::1]/', 'https://user:pass@x.example/#f', 'javascript:alert(1)', 'https://x.example/\u0007', 'whsec_', 'whsec_====', 'AB', 'zz',
];

const oddNumbers = [0, -0, -1, 1, 0.1, 1.5, -90.0000001, 180.5, 255, 256, 2 ** 31 - 1, 2 ** 31, -(2 ** 31) - 1, 2 ** 32, 2 ** 53 - 1, 2 ** 53 + 2, 2 ** 63, 1e21, 1e308, -1e308, 5e-324, 253_402_300_800_000];
const oddNames = ['__proto__', 'constructor', 'toString', 'id', 'a/b~c', '', ' ', 'revision', 'business_id', 'deleted_at', 'naïve', '\u0000', '\ud800', 'x'.repeat(5_000), '$ref'];

export const oddText = (dice: Dice): string => (dice.chance(0.8) ? dice.pick(oddTexts) : dice.of(fc.string({ unit: anyUnit, maxLength: 60 })));

/** Any code unit, halves of surrogate pairs included. */
const anyUnit = fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit));

function oddValue(dice: Dice): unknown {
  return dice.weighted<() => unknown>([
    [4, () => oddText(dice)], [4, () => dice.pick(oddNumbers)], [1, () => null], [1, () => dice.chance(0.5)], [1, () => []], [1, () => ({})],
    [1, () => dice.of(fc.jsonValue({ maxDepth: 3 }))], [1, () => JSON.parse('{"__proto__":{"admin":true}}')],
  ])();
}

/** Of the same type, and at the edge of it. */
function oddLike(value: unknown, dice: Dice): unknown {
  if (typeof value === 'string') return dice.weighted<() => string>([[4, () => oddText(dice)], [1, () => value + oddText(dice)], [1, () => value.toUpperCase()], [1, () => ` ${value} `], [1, () => value.slice(1)]])();
  if (typeof value === 'number') return dice.chance(0.6) ? dice.pick(oddNumbers) : -value;
  if (typeof value === 'boolean') return !value;
  if (Array.isArray(value)) return dice.chance(0.5) ? [] : [...value, ...value];
  return dice.chance(0.5) ? {} : { ...(value as object), [dice.pick(oddNames)]: 1 };
}

/** Deeper than recursion goes. */
function nested(depth: number, isObject: boolean): unknown {
  let value: unknown = 'deep';
  for (let level = 0; level < depth; level++) value = isObject ? { a: value } : [value];
  return value;
}
