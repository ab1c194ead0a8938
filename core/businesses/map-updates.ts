import type { EntityManager } from '../db/store.ts';
import { parseCron } from '../time/cron.ts';
import { nextRun } from '../time/next-run.ts';
import type { Business } from './entity.ts';

/** When the update schedule is due next after a moment; null where it is not within years. */
export function nextMapUpdate({ routing, timeZone }: Pick<Business, 'routing' | 'timeZone'>, now: Date): Date | null {
  const cron = parseCron(routing.update_schedule);
  const dueMs = 'problem' in cron ? null : nextRun(cron, timeZone, now.getTime());
  return dueMs === null ? null : new Date(dueMs);
}

/** Writes down when that is, or that it is never. It is no edit of the business, and makes no revision. */
export async function scheduleMapUpdate(em: EntityManager, business: Business, now = new Date()): Promise<void> {
  await em.execute('update businesses set next_map_update_at = ? where id = ?', [nextMapUpdate(business, now) ?? 'infinity', business.id]);
}
