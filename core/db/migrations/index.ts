import { Audit } from './2026-11-21-audit.ts';
import { BestOverTime } from './2026-11-21-best-over-time.ts';
import { Execution } from './2026-11-21-execution.ts';
import { FirstTables } from './2026-11-21-first-tables.ts';
import { IdempotencyKeys } from './2026-11-21-idempotency-keys.ts';
import { Regions } from './2026-11-21-regions.ts';
import { Reservations } from './2026-11-21-reservations.ts';
import { Webhooks } from './2026-11-21-webhooks.ts';
import { Notifications } from './2026-11-21-notifications.ts';
import { Push } from './2026-11-21-push.ts';
import { PublishedDetails } from './2026-11-21-published-details.ts';
import { Search } from './2026-11-21-search.ts';
import { ScenarioGraphs } from './2026-11-21-scenario-graphs.ts';
import { Sweeps } from './2026-11-21-sweeps.ts';

/** In the order in which they run. A migration that has been released is never changed. */
export const migrations = [
  { name: '2026-11-21-first-tables', class: FirstTables },
  { name: '2026-11-21-idempotency-keys', class: IdempotencyKeys },
  { name: '2026-11-21-webhooks', class: Webhooks },
  { name: '2026-11-21-reservations', class: Reservations },
  { name: '2026-11-21-execution', class: Execution },
  { name: '2026-11-21-audit', class: Audit },
  { name: '2026-11-21-notifications', class: Notifications },
  { name: '2026-11-21-push', class: Push },
  { name: '2026-11-21-search', class: Search },
  { name: '2026-11-21-sweeps', class: Sweeps },
  { name: '2026-11-21-regions', class: Regions },
  { name: '2026-11-21-best-over-time', class: BestOverTime },
  { name: '2026-11-21-published-details', class: PublishedDetails },
  { name: '2026-11-21-scenario-graphs', class: ScenarioGraphs },
];
