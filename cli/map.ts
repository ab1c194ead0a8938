import type { Paint } from './colours.ts';
import { visible } from './display-width.ts';

/** Routes drawn into text: lines of braille dots, two by four in each character, with a letter for every stop. Pure. */

export interface MapPlace {
  latitude: number;
  longitude: number;
}

export interface MapRoute {
  /** Picks letter and colour. */
  number: number;
  legend: string;
  stops: readonly (MapPlace & { sequence: number })[];
  /** The way from start to end. */
  line: readonly MapPlace[];
}

export interface MapContent {
  routes: readonly MapRoute[];
  warehouses: readonly MapPlace[];
  unplanned: readonly MapPlace[];
}

const dotsAcross = 2;
const dotsDown = 4;
/** A drawing that is higher than a screen is of little use. */
const rowsMax = 40;
/** Left free at the right edge for the number of a stop that lies on it. */
const marginColumns = 2;
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const warehouseMark = '⌂';
const unplannedMark = '×';

/** The drawing and its legend; empty where there is nothing to draw. */
export function drawMap(content: MapContent, { columns, paint }: { columns: number; paint: Paint }): string {
  const places = [...content.routes.flatMap((route) => [...route.line, ...route.stops]), ...content.warehouses, ...content.unplanned];
  if (places.length === 0) return '';
  const frame = frameOf(places, columns);
  const canvas = emptyCanvas(frame);
  for (const route of content.routes) drawLine(canvas, route, frame);
  const marks = placeMarks(content, frame);
  const lines = Array.from({ length: frame.rows }, (_, row) => textOfRow(canvas, marks, row, frame.columns, paint).replace(/[\u2800 ]+$/, ''));
  return `${lines.join('\n')}\n${legendOf(content, paint)}`;
}

export const letterOf = (number: number): string => letters[number % letters.length];

interface Frame {
  columns: number;
  rows: number;
  /** The dot at which a place lies. */
  dotOf(place: MapPlace): { x: number; y: number };
}

/**
 * Around all places, true to shape: a degree of longitude is shorter than one of latitude by the cosine of the latitude, and dots
 * are about as wide as high, because a character is twice as high as wide.
 */
function frameOf(places: readonly MapPlace[], columnsMax: number): Frame {
  const latitudes = places.map(({ latitude }) => latitude);
  const [south, north] = [min(latitudes), max(latitudes)];
  const unroll = unrollingLongitudes(places.map(({ longitude }) => longitude));
  const longitudes = places.map(({ longitude }) => unroll(longitude));
  const [west, east] = [min(longitudes), max(longitudes)];
  const squeeze = Math.cos(((south + north) / 2) * (Math.PI / 180));
  const [width, height] = [(east - west) * squeeze, north - south];
  const [dotsWide, dotsHigh] = [(columnsMax - marginColumns) * dotsAcross - 1, rowsMax * dotsDown - 1];
  // All in one place: any scale will do.
  const scale = Math.min(width > 0 ? dotsWide / width : Infinity, height > 0 ? dotsHigh / height : Infinity);
  const dotsPerDegree = Number.isFinite(scale) ? scale : 1;
  const cells = (extent: number, dots: number) => Math.floor(Math.round(extent * dotsPerDegree) / dots) + 1;
  return {
    columns: cells(width, dotsAcross) + marginColumns, rows: cells(height, dotsDown),
    dotOf: ({ latitude, longitude }) => ({ x: Math.round((unroll(longitude) - west) * squeeze * dotsPerDegree), y: Math.round((north - latitude) * dotsPerDegree) }),
  };
}

/** Places on both sides of the date line lie side by side: the circle is cut in the widest gap. */
function unrollingLongitudes(longitudes: readonly number[]): (longitude: number) => number {
  const sorted = [...new Set(longitudes)].toSorted((one, other) => one - other);
  const gaps = sorted.map((longitude, at) => (at + 1 < sorted.length ? sorted[at + 1] - longitude : sorted[0] + 360 - longitude));
  const cut = gaps.indexOf(max(gaps));
  const first = sorted[(cut + 1) % sorted.length];
  return (longitude) => (longitude < first ? longitude + 360 : longitude);
}

interface Canvas {
  columns: number;
  /** Dots set in each cell, as braille has them. */
  dots: Uint8Array;
  /** The route that drew in a cell last, plus one. */
  owner: Uint16Array;
}

const emptyCanvas = ({ columns, rows }: Frame): Canvas => ({ columns, dots: new Uint8Array(columns * rows), owner: new Uint16Array(columns * rows) });

/** The dots of a braille character are numbered down the left column, then the right one; the lowest pair came later. */
const dotBits = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]] as const;

function drawLine(canvas: Canvas, { line, number }: MapRoute, { dotOf }: Frame): void {
  const dots = line.map(dotOf);
  for (const [at, to] of dots.entries()) {
    const from = dots[Math.max(0, at - 1)];
    const steps = Math.max(Math.abs(to.x - from.x), Math.abs(to.y - from.y), 1);
    for (let step = 0; step <= steps; step += 1) {
      const x = Math.round(from.x + ((to.x - from.x) * step) / steps);
      const y = Math.round(from.y + ((to.y - from.y) * step) / steps);
      const cell = Math.floor(y / dotsDown) * canvas.columns + Math.floor(x / dotsAcross);
      canvas.dots[cell] |= dotBits[y % dotsDown][x % dotsAcross];
      canvas.owner[cell] = number + 1;
    }
  }
}

interface Mark {
  text: string;
  /** Of the route; null for what belongs to none. */
  route: number | null;
}

/** By cell. Letters come first, then warehouses, so that a stop is never hidden by the number of another one. */
function placeMarks({ routes, warehouses, unplanned }: MapContent, frame: Frame): Map<number, Mark> {
  const marks = new Map<number, Mark>();
  const cellOf = (place: MapPlace) => {
    const { x, y } = frame.dotOf(place);
    return Math.floor(y / dotsDown) * frame.columns + Math.floor(x / dotsAcross);
  };
  for (const place of unplanned) marks.set(cellOf(place), { text: unplannedMark, route: null });
  for (const { stops, number } of routes) for (const stop of stops) marks.set(cellOf(stop), { text: letterOf(number), route: number });
  for (const place of warehouses) marks.set(cellOf(place), { text: warehouseMark, route: null });
  for (const { stops, number } of routes) for (const stop of stops) placeNumber(marks, cellOf(stop), { text: String(stop.sequence), route: number }, frame.columns);
  return marks;
}

/** Behind its letter, where the row has room for all its digits. */
function placeNumber(marks: Map<number, Mark>, cell: number, { text, route }: Mark, columns: number): void {
  const letter = marks.get(cell);
  const cells = [...text].map((_digit, at) => cell + 1 + at);
  const isRoom = letter?.route === route && letter?.text === letterOf(route!) && (cell % columns) + text.length < columns && cells.every((each) => !marks.has(each));
  if (isRoom) for (const [at, each] of cells.entries()) marks.set(each, { text: text[at], route });
}

function textOfRow({ dots, owner, columns: width }: Canvas, marks: Map<number, Mark>, row: number, columns: number, paint: Paint): string {
  let text = '';
  for (let column = 0; column < columns; column += 1) {
    const cell = row * width + column;
    const mark = marks.get(cell);
    if (mark) text += mark.route === null ? paint('bold', mark.text) : paint({ palette: mark.route }, mark.text);
    else if (dots[cell] === 0) text += ' ';
    else text += paint({ palette: owner[cell] - 1 }, String.fromCodePoint(0x2800 + dots[cell]));
  }
  return text;
}

function legendOf({ routes, warehouses, unplanned }: MapContent, paint: Paint): string {
  const signs = [warehouses.length > 0 && `${warehouseMark} warehouse`, unplanned.length > 0 && `${unplannedMark} unplanned`].filter(Boolean).join('   ');
  return [...routes.map(({ number, legend }) => `${paint({ palette: number }, letterOf(number))} ${visible(legend)}\n`), ...(signs ? [`${signs}\n`] : [])].join('');
}

/** Spreading a long list over arguments would run out of stack. */
const min = (values: readonly number[]) => values.reduce((least, value) => Math.min(least, value), Infinity);
const max = (values: readonly number[]) => values.reduce((most, value) => Math.max(most, value), -Infinity);
