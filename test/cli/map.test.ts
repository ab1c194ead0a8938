import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { paintWith } from '../../cli/colours.ts';
import { displayWidth } from '../../cli/display-width.ts';
import { drawMap, letterOf, type MapContent, type MapPlace } from '../../cli/map.ts';

const plain = { paint: paintWith(false) };
const at = (latitude: number, longitude: number): MapPlace => ({ latitude, longitude });
const nothing: MapContent = { routes: [], warehouses: [], unplanned: [] };
const drawing = (content: MapContent, columns: number) => drawMap(content, { columns, ...plain }).split('\n');

test('nothing to draw is no drawing', () => {
  expect(drawMap(nothing, { columns: 40, ...plain })).toBe('');
});

test('a line from corner to corner, north up and east to the right', () => {
  const route = { number: 0, legend: 'Van 1', stops: [], line: [at(1, 0), at(0, 1)] };
  expect(drawing({ ...nothing, routes: [route] }, 6)).toEqual(['⠑⢄', '  ⠑⢄', 'A Van 1', '']);
});

test('a square on the ground is a square on the screen, at the equator and in the north', () => {
  const square = (latitude: number) => {
    const half = 0.1;
    const wide = half / Math.cos((latitude * Math.PI) / 180);
    const corners = [at(latitude - half, -wide), at(latitude - half, wide), at(latitude + half, wide), at(latitude + half, -wide)];
    const lines = drawing({ ...nothing, unplanned: corners }, 40).slice(0, -2);
    return { columns: Math.max(...lines.map(displayWidth)), rows: lines.length };
  };
  // A character is twice as high as wide.
  expect(square(0)).toEqual({ columns: 38, rows: 19 });
  expect(square(60)).toEqual({ columns: 38, rows: 19 });
});

test('stops carry the letter of their route and their number where there is room', () => {
  const stops = [{ ...at(0, 0), sequence: 1 }, { ...at(0, 1), sequence: 12 }];
  const lines = drawing({ warehouses: [at(0, 0.5)], unplanned: [at(0, 0.25)], routes: [{ number: 1, legend: 'Van 2', stops, line: stops }] }, 22);
  expect(lines[0]).toMatch(/^B1⠉+×⠉+⌂⠉+B12$/);
  expect(lines.slice(1)).toEqual(['B Van 2', '⌂ warehouse   × unplanned', '']);
});

test('a stop is never hidden by the number of another one', () => {
  const stops = [{ ...at(0, 0), sequence: 1 }, { ...at(0, 0.05), sequence: 2 }, { ...at(0, 1), sequence: 3 }];
  expect(drawing({ ...nothing, routes: [{ number: 0, legend: '', stops, line: [] }] }, 22)[0]).toBe('AA2               A3'.replace(/ +/, (space) => ' '.repeat(space.length + 1)));
});

test('colours tell routes apart on a terminal, letters everywhere', () => {
  const routes = [0, 1].map((number) => ({ number, legend: `Van ${number}`, stops: [{ ...at(number, 0), sequence: 1 }], line: [at(number, 0), at(number, 1)] }));
  const coloured = drawMap({ ...nothing, routes }, { columns: 20, paint: paintWith(true) });
  expect(new Set(coloured.match(/38;5;\d+/g)).size).toBe(2);
  expect(drawMap({ ...nothing, routes }, { columns: 20, ...plain })).not.toContain('\u001b');
  expect([0, 1, 26, 61].map(letterOf)).toEqual(['A', 'B', 'a', '9']);
});

test('places on both sides of the date line lie side by side', () => {
  const lines = drawing({ ...nothing, unplanned: [at(0, 179.9), at(0, -179.9)] }, 12);
  expect(lines[0]).toMatch(/^× {8}×$/);
});

describe('whatever is drawn', () => {
  const place = fc.record({ latitude: fc.double({ min: -90, max: 90, noNaN: true }), longitude: fc.double({ min: -180, max: 180, noNaN: true }) });
  const route = fc.array(place, { minLength: 1, maxLength: 6 }).map((line) => ({ number: 0, legend: 'L', line, stops: line.map((each, index) => ({ ...each, sequence: index + 1 })) }));

  test('it keeps to its columns and to a screen of rows, and shows a letter', () => {
    fc.assert(fc.property(fc.array(route, { minLength: 1, maxLength: 3 }), fc.array(place, { maxLength: 3 }), fc.integer({ min: 10, max: 60 }), (routes, warehouses, columns) => {
      const lines = drawing({ routes, warehouses, unplanned: [] }, columns);
      const picture = lines.slice(0, lines.indexOf('A L'));
      expect(picture.length).toBeLessThanOrEqual(40);
      expect(picture.every((line) => displayWidth(line) <= columns)).toBe(true);
      expect(picture.join('')).toMatch(/[A⌂]/);
    }));
  });
});
