import { defineEntity, p } from '@mikro-orm/postgresql';
import { recordProperties, recordTable } from '../records/entity.ts';
import type { NotificationKind } from './schema.ts';

/** Something that the administrators of a business should know. */
const schema = defineEntity({
  ...recordTable,
  name: 'Notification',
  tableName: 'notifications',
  properties: {
    ...recordProperties,
    kind: p.string().length(30).$type<NotificationKind>(),
    message: p.text(),
    data: p.json<Record<string, unknown>>(),
    readAt: p.datetime().nullable(),
  },
});
export class Notification extends schema.class {}
schema.setClass(Notification);
