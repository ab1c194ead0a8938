import type { Paint } from './colours.ts';
import { displayWidth, fitWidth, visible } from './display-width.ts';

export interface Column<Row> {
  title: string;
  value(row: Row): string | number | null | undefined;
  align?: 'left' | 'right';
}

export interface TableOptions {
  paint: Paint;
  /** Columns of the terminal; nothing is cut where it is absent. */
  widthMax?: number;
}

const gap = '  ';
/** Below this a column says nothing any more, and the line may as well wrap. */
const columnWidthMin = 6;

/** Rows under their titles, each column as wide as its widest cell. Ends in a line break. */
export function renderTable<Row>(columns: readonly Column<Row>[], rows: readonly Row[], { paint, widthMax }: TableOptions): string {
  const cells = rows.map((row) => columns.map((column) => cellText(column.value(row))));
  const widths = columns.map((column, at) => Math.max(displayWidth(column.title), ...cells.map((line) => displayWidth(line[at]))));
  if (widthMax !== undefined) shrink(widths, widthMax - gap.length * (columns.length - 1));
  const line = (texts: readonly string[]) => texts.map((text, at) => pad(fitWidth(text, widths[at]), widths[at], columns[at].align)).join(gap).trimEnd();
  return [paint('bold', line(columns.map(({ title }) => title))), ...cells.map(line), ''].join('\n');
}

function cellText(value: string | number | null | undefined): string {
  if (value === null || value === undefined || value === '') return '–';
  return visible(String(value));
}

/** Takes columns from the widest cell until all fit. */
function shrink(widths: number[], total: number): void {
  let excess = widths.reduce((sum, width) => sum + width, 0) - total;
  while (excess > 0) {
    const widest = widths.indexOf(Math.max(...widths));
    if (widths[widest] <= columnWidthMin) return;
    widths[widest] -= 1;
    excess -= 1;
  }
}

function pad(text: string, width: number, align: 'left' | 'right' = 'left'): string {
  const space = ' '.repeat(Math.max(0, width - displayWidth(text)));
  return align === 'right' ? space + text : text + space;
}
