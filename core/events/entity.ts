import { defineEntity, p } from '@mikro-orm/postgresql';
import { newId } from '../records/ids.ts';
import { ofOneBusiness } from '../records/entity.ts';
import type { EventType } from './event-types.ts';

/** Something that has happened in a business, written in the transaction that caused it. */
const schema = defineEntity({
  name: 'DomainEvent',
  tableName: 'events',
  properties: {
    businessId: p.uuid().primary(),
    id: p.uuid().primary().onCreate(newId),
    type: p.string().length(40).$type<EventType>(),
    data: p.json<Record<string, unknown>>(),
    requestId: p.string().length(200).nullable(),
    createdAt: p.datetime().onCreate(() => new Date()),
  },
  filters: ofOneBusiness,
});
export class DomainEvent extends schema.class {}
schema.setClass(DomainEvent);
