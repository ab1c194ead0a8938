import { expect, test } from '@jest/globals';
import { paintWith } from '../../cli/colours.ts';
import { displayWidth } from '../../cli/display-width.ts';
import { renderTable, type Column } from '../../cli/table.ts';

const paint = paintWith(false);
interface Row { name: string | null; count: number }
const columns: Column<Row>[] = [{ title: 'name', value: ({ name }) => name }, { title: 'n', align: 'right', value: ({ count }) => count }];

test('columns line up, wide characters counted by their width', () => {
  expect(renderTable(columns, [{ name: '漢字', count: 7 }, { name: 'abc', count: 10 }, { name: null, count: 0 }], { paint })).toBe('name   n\n漢字   7\nabc   10\n–      0\n');
});

test('on a terminal no line is longer than it, and the widest column gives way', () => {
  const rows = [{ name: 'x'.repeat(100), count: 12_345 }];
  const lines = renderTable(columns, rows, { paint, widthMax: 20 }).split('\n');
  expect(lines.map(displayWidth).every((width) => width <= 20)).toBe(true);
  expect(lines[1]).toBe(`${'x'.repeat(12)}…  12345`);
});

test('elsewhere nothing is cut', () => {
  expect(renderTable(columns, [{ name: 'x'.repeat(500), count: 1 }], { paint })).toContain('x'.repeat(500));
});
