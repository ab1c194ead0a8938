import type { EntityManager } from '../db/store.ts';

/** Whatever still waits for a webhook is not sent any more; recovering sends it again. */
export async function giveUpOpen(em: EntityManager, webhook: { businessId: string; id: string }, reason: string): Promise<void> {
  await em.execute(
    `update webhook_deliveries set status = 'gave_up', next_attempt_at = null, error = ?, revision = revision + 1, updated_at = now()
     where business_id = ? and webhook_id = ? and status in ('pending', 'failed')`,
    [reason, webhook.businessId, webhook.id],
  );
}
