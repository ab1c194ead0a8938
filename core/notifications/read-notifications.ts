import { rowLock, type EntityManager } from '../db/store.ts';
import { notFound } from '../contract/errors.ts';
import { instantOrNull, presentCommon } from '../records/present.ts';
import { listRecords, type Page } from '../records/read-records.ts';
import { Notification } from './entity.ts';

export const notificationKind = { word: 'notification', entity: Notification, searched: ['message'] as const };

export const presentNotification = (notification: Notification) => ({
  ...presentCommon(notification),
  kind: notification.kind,
  message: notification.message,
  data: notification.data,
  read_at: instantOrNull(notification.readAt),
});

export function listNotifications(em: EntityManager, businessId: string, query: Record<string, unknown>): Promise<Page<Notification>> {
  const filter = [...(query.kind ? [{ kind: query.kind }] : []), ...(query.unread === undefined ? [] : [{ readAt: query.unread ? null : { $ne: null } }])];
  return listRecords<Notification>(em, notificationKind, businessId, query, filter);
}

/** Reading it again changes nothing: the first time counts. */
export async function markRead(em: EntityManager, id: string): Promise<Notification> {
  const notification = await em.findOne(Notification, { id, deletedAt: null }, { lockMode: rowLock.write });
  if (notification === null) throw notFound('notification', id);
  notification.readAt ??= new Date();
  await em.flush();
  return notification;
}

/** How many were unread. One that is being written meanwhile stays unread: nobody has seen it. */
export async function markAllRead(em: EntityManager, businessId: string, now = new Date()): Promise<number> {
  const rows = await em.execute<unknown[]>(
    'update notifications set read_at = ?, updated_at = ?, revision = revision + 1 where business_id = ? and read_at is null and deleted_at is null returning id',
    [now, now, businessId],
  );
  return rows.length;
}
