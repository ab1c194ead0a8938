import { instantSchema, nullable, recordOf } from '../contract/schemas.ts';

export const notificationKinds = ['unplanned_orders', 'webhook_disabled', 'region_failed', 'roads_changed', 'push_failed'] as const;
export type NotificationKind = (typeof notificationKinds)[number];

export const notificationFields = {
  kind: { type: 'string', enum: notificationKinds },
  message: { type: 'string', description: 'One sentence for people.' },
  data: { type: 'object', additionalProperties: true, description: 'Ids of what it is about, by kind: `job_id` and `order_ids`; `webhook_id`; `region_id` and `job_id`; `region_id`, `dataset_version` and `plan_ids`; `publication_id`, `driver_id`, `device_id`, `provider` and `reason`.' },
  read_at: { ...nullable(instantSchema), description: 'When an administrator marked it as read; null until then.' },
} as const;
export const notification = recordOf('Notification', notificationFields);

export const notificationsRead = {
  title: 'NotificationsRead', type: 'object', additionalProperties: false, required: ['count'],
  properties: { count: { type: 'integer', minimum: 0, description: 'How many were unread.' } },
} as const;
