import type { Tags } from '../../osm/elements.ts';
import { NO_LIMIT } from './vehicle.ts';
import type { Limits } from './vehicle.ts';

const LIMIT_KEYS = ['maxheight', 'maxheight:physical', 'maxweight', 'maxweight:hgv', 'maxweightrating', 'maxweightrating:hgv', 'maxwidth', 'maxwidth:physical', 'maxlength', 'hazmat'];

/** What a way or a barrier says about size and load, or null. https://wiki.openstreetmap.org/wiki/Key:maxheight and its neighbours. */
export function limitsOf(tags: Tags): Limits | null {
  if (!LIMIT_KEYS.some((key) => tags.get(key) !== undefined)) return null;
  const least = (parse: (text: string) => number | null, ...keys: string[]) =>
    Math.min(NO_LIMIT, ...keys.map((key) => tags.get(key)).filter((text) => text !== undefined).map((text) => parse(text) ?? NO_LIMIT));
  const limits: Limits = {
    heightCentimetres: least(parseCentimetres, 'maxheight', 'maxheight:physical'),
    weightKilograms: least(parseKilograms, 'maxweight', 'maxweight:hgv', 'maxweightrating', 'maxweightrating:hgv'),
    widthCentimetres: least(parseCentimetres, 'maxwidth', 'maxwidth:physical'),
    lengthCentimetres: least(parseCentimetres, 'maxlength'),
    allowsHazardousGoods: tags.get('hazmat') !== 'no',
  };
  const isLimit = !limits.allowsHazardousGoods || [limits.heightCentimetres, limits.weightKilograms, limits.widthCentimetres, limits.lengthCentimetres].some((limit) => limit !== NO_LIMIT);
  return isLimit ? limits : null;
}

const CENTIMETRES: Record<string, number> = { '': 100, m: 100, meters: 100, metres: 100, cm: 1, ft: 30.48, "'": 30.48, in: 2.54, '"': 2.54 };

/** "3.5", "3,5 m", "12'6\"", "12 ft 6 in"; null for "default", "none" and the like. */
export function parseCentimetres(text: string): number | null {
  return sumOfParts(text.replace(',', '.'), CENTIMETRES);
}

/** Tonnes unless it says otherwise; "st" are short tons. */
const KILOGRAMS: Record<string, number> = { '': 1000, t: 1000, tonnes: 1000, mt: 1000, kg: 1, st: 907.18474, lt: 1016.0469088, lb: 0.45359237, lbs: 0.45359237, cwt: 50.80234544 };

export function parseKilograms(text: string): number | null {
  return sumOfParts(text.replace(',', '.'), KILOGRAMS);
}

/** All parts must be understood, or a limit of 12 ft 6 could become one of 12. */
function sumOfParts(text: string, units: Record<string, number>): number | null {
  if (text.length > 40 || !/^\s*(\d+(\.\d+)?\s*([a-z]*|'|")\s*)+$/.test(text)) return null;
  let sum = 0;
  for (const [, amount, unit] of text.matchAll(/(\d+(?:\.\d+)?)\s*([a-z]+|'|"|)/g)) {
    if (!Object.hasOwn(units, unit)) return null;
    sum += Number(amount) * units[unit];
  }
  return sum > 0 && sum < NO_LIMIT ? Math.round(sum) : null;
}
