import { FirstTables } from './2026-11-21-first-tables.ts';
import { Webhooks } from './2026-11-21-webhooks.ts';

/** In the order in which they run. A migration that has been released is never changed. */
export const migrations = [
  { name: '2026-11-21-first-tables', class: FirstTables },
  { name: '2026-11-21-webhooks', class: Webhooks },
];
