import type { Context } from '../context.ts';
import { visible } from '../display-width.ts';
import { renderTable } from '../table.ts';

type Counts = Record<(typeof kinds)[number], number>;
const kinds = ['orders', 'warehouses', 'vehicles', 'drivers'] as const;

export interface Loaded {
  created: Counts;
  /** Was there already, and stayed as it was. */
  existing: Counts;
  /** By kind: samples whose id a deleted record holds, with the id that they got. */
  renamed: Record<string, Record<string, string>>;
  vehicle_ids: string[];
  dates: { start: string | null; end: string | null };
  activation_codes: Record<string, string>;
}

/** What came into being. The codes are shown this once, because the service does not know them any more afterwards. */
export function showLoaded(id: string, { created, existing, renamed, dates, activation_codes: codes }: Loaded, context: Context): void {
  context.print(`Loaded ${id}: ${countsText(created)}\n`);
  if (kinds.some((kind) => existing[kind] > 0)) context.print(`There already, and left as they are: ${countsText(existing)}\n`);
  for (const [kind, ids] of Object.entries(renamed)) {
    for (const [from, to] of Object.entries(ids)) context.note(visible(`the id ${from} belongs to a deleted record; the sample is called ${to} among the ${kind}`));
  }
  if (dates.start) context.print(`Windows from ${dates.start} to ${dates.end}\n`);
  const rows = Object.entries(codes);
  if (rows.length === 0) return;
  context.print(`\n${renderTable([
    { title: 'driver', value: ([driver]) => driver },
    { title: 'activation code', value: ([, code]) => code },
  ], rows, { paint: context.paint })}`);
  context.note('activation codes are shown only this once; each signs its driver in once: milkrun drivers sign-in --code <code>');
}

const countsText = (counts: Counts): string => kinds.map((kind) => `${counts[kind]} ${kind}`).join(', ');
