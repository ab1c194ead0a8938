import { defineEntity, p } from '@mikro-orm/postgresql';

/** What has to be told to the queue, written in the transaction that causes it and relayed after it. */
const schema = defineEntity({
  name: 'OutboxEntry',
  tableName: 'outbox',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    queue: p.string().length(40),
    /** Makes the queue entry unique: relaying an entry twice adds one job. */
    key: p.string().length(200),
    payload: p.json<Record<string, unknown>>(),
    createdAt: p.datetime().onCreate(() => new Date()),
  },
});
export class OutboxEntry extends schema.class {}
schema.setClass(OutboxEntry);
