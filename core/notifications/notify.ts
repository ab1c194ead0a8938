import type { EntityManager } from '../db/store.ts';
import { newId } from '../records/ids.ts';
import { Notification } from './entity.ts';
import type { NotificationKind } from './schema.ts';

export interface News {
  kind: NotificationKind;
  /** One sentence. */
  message: string;
  /** Ids of what it is about. */
  data: Record<string, unknown>;
}

/** Writes a notification into the caller's transaction. */
export function notify(em: EntityManager, businessId: string, { kind, message, data }: News): void {
  em.persist(em.create(Notification, { businessId, id: newId(), kind, message, data } as never));
}

/** The same under a key that says what it is about: whoever comes second adds nothing. */
export async function notifyOnce(em: EntityManager, businessId: string, key: string, { kind, message, data }: News, now = new Date()): Promise<void> {
  await em.execute(
    `insert into notifications (business_id, id, created_at, updated_at, kind, message, data) values (?, ?, ?, ?, ?, ?, ?::jsonb) on conflict (business_id, id) do nothing`,
    [businessId, key, now, now, kind, message, JSON.stringify(data)],
  );
}
