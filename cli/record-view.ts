import type { Paint } from './colours.ts';
import { displayWidth, visible } from './display-width.ts';

/** Longer structures are counted instead of printed; --json shows them whole. */
const inlineLengthMax = 160;

/** One record as a line per field. */
export function renderRecord(record: Record<string, unknown>, paint: Paint): string {
  const entries = Object.entries(record);
  const width = Math.max(0, ...entries.map(([name]) => displayWidth(name)));
  return entries.map(([name, value]) => `${paint('bold', name.padEnd(width))}  ${valueText(value)}\n`).join('');
}

function valueText(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–';
  if (typeof value !== 'object') return visible(String(value));
  if (Array.isArray(value)) return listText(value);
  if (isLocation(value)) return `${value.latitude},${value.longitude}`;
  const text = JSON.stringify(value);
  return text.length <= inlineLengthMax ? visible(text) : `{${Object.keys(value).map(visible).join(', ')}}`;
}

function listText(values: unknown[]): string {
  if (values.length === 0) return '–';
  const isFlat = values.every((value) => typeof value !== 'object');
  const text = isFlat ? values.join(', ') : JSON.stringify(values);
  if (isFlat || text.length <= inlineLengthMax) return visible(text);
  return `${values.length} items`;
}

function isLocation(value: object): value is { latitude: number; longitude: number } {
  return 'latitude' in value && 'longitude' in value && Object.keys(value).length === 2;
}
