import { setTimeout as sleep } from 'node:timers/promises';
import { rowsOf } from '../support/database.ts';

/** Workers try what fails five times, with growing pauses. */
const waitMsMax = 90_000;

/** Planning that ended for a reason that is no client's; what is still at work is waited for. */
export async function brokenJobs(databaseUrl: string): Promise<string[]> {
  const until = Date.now() + waitMsMax;
  for (;;) {
    const [{ busy }] = await rowsOf(databaseUrl, `select count(*)::int as busy from jobs where kind = 'planning' and status in ('queued', 'running')`);
    if (busy === 0) break;
    if (Date.now() > until) return [`${busy} planning jobs do not end`];
    await sleep(250);
  }
  const rows = await rowsOf(databaseUrl, `select id, error ->> 'message' as message from jobs where status = 'failed' and error ->> 'message' like '%a reason that is ours%'`);
  return rows.map(({ id, message }) => `job ${id}: ${message}`);
}
