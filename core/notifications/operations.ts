import { businessPath, inBusiness, operation, usualErrors } from '../contract/operation.ts';
import { listOf, listQuery } from '../contract/schemas.ts';
import { notification, notificationKinds, notificationsRead } from './schema.ts';

const path = `${businessPath}/notifications`;
const common = { tag: 'notifications', errors: usualErrors } as const;

const listNotifications = operation({
  ...common, id: 'notifications.list', method: 'GET', path, summary: 'List notifications', description: 'What administrators should know and nobody has asked for: the service writes them.',
  access: inBusiness('resources.read'), status: 200, answer: listOf(notification),
  query: { ...listQuery, kind: { type: 'string', enum: notificationKinds }, unread: { type: 'boolean', description: 'Only those that are not (true) or are (false) marked as read.' } },
});
const readNotification = operation({
  ...common, id: 'notifications.read', method: 'POST', path: `${path}/{record_id}/read`, summary: 'Mark a notification as read',
  access: inBusiness('resources.write'), status: 200, answer: notification,
});
const readAllNotifications = operation({
  ...common, id: 'notifications.read-all', method: 'POST', path: `${path}/read-all`, summary: 'Mark all notifications as read',
  access: inBusiness('resources.write'), status: 200, answer: notificationsRead,
});

export const notificationOperations = [listNotifications, readNotification, readAllNotifications];
