import { defineEntity, p } from '@mikro-orm/postgresql';
import { newId } from '../records/ids.ts';
import { ofOneBusiness } from '../records/entity.ts';
import type { EventType } from './schema.ts';

/**
 * Something that has happened in a business, written in the transaction that caused it. The table has two columns more, which only
 * statements use: `position`, the order of writing, and `fanned_out_at`.
 */
const schema = defineEntity({
  name: 'DomainEvent',
  tableName: 'events',
  properties: {
    businessId: p.uuid().primary(),
    id: p.uuid().primary().onCreate(newId),
    type: p.string().length(40).$type<EventType>(),
    /** The record as it is shown. */
    data: p.json<Record<string, unknown>>(),
    requestId: p.string().length(200).nullable(),
    createdAt: p.datetime().onCreate(() => new Date()),
  },
  filters: ofOneBusiness,
});
export class DomainEvent extends schema.class {}
schema.setClass(DomainEvent);
