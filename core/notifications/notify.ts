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
