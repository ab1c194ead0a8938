import { listNotifications, markAllRead, markRead, presentNotification } from '../../core/notifications/read-notifications.ts';
import { reader, transaction } from '../../core/db/store.ts';
import type { Handlers } from '../call.ts';

export const notificationHandlers: Handlers = {
  'notifications.list': async ({ service, businessId, query }) => {
    const { records, nextCursor } = await listNotifications(reader(service.store, businessId), businessId, query);
    return { body: { items: records.map(presentNotification), next_cursor: nextCursor } };
  },
  'notifications.read': async ({ service, businessId, params }) => ({ body: presentNotification(await transaction(service.store, businessId, (em) => markRead(em, params.record_id))) }),
  'notifications.read-all': async ({ service, businessId }) => ({ body: { count: await transaction(service.store, businessId, (em) => markAllRead(em, businessId)) } }),
};
