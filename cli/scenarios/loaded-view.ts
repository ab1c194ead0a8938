import type { Context } from '../context.ts';
import { renderTable } from '../table.ts';

export interface Loaded {
  created: Record<'orders' | 'warehouses' | 'vehicles' | 'drivers', number>;
  vehicle_ids?: string[];
  dates: { start: string | null; end: string | null };
  activation_codes: Record<string, string>;
}

/** What came into being. The codes are shown this once, because the service does not know them any more afterwards. */
export function showLoaded(id: string, { created, dates, activation_codes: codes }: Loaded, context: Context): void {
  const counts = (['orders', 'warehouses', 'vehicles', 'drivers'] as const).map((kind) => `${created[kind]} ${kind}`);
  context.print(`Loaded ${id}: ${counts.join(', ')}\n`);
  if (dates.start) context.print(`Windows from ${dates.start} to ${dates.end}\n`);
  const rows = Object.entries(codes);
  if (rows.length === 0) return;
  context.print(`\n${renderTable([
    { title: 'driver', value: ([driver]) => driver },
    { title: 'activation code', value: ([, code]) => code },
  ], rows, { paint: context.paint })}`);
  context.note('activation codes are shown only this once; each signs its driver in once: milkrun drivers sign-in --code <code>');
}
