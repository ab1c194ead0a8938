import { defineEntity, p } from '@mikro-orm/postgresql';

/** The answer to a request that carried an idempotency key, written in the transaction of its effect. */
const schema = defineEntity({
  name: 'IdempotencyKey',
  tableName: 'idempotency_keys',
  properties: {
    /** SHA-256 over sender, route and key. */
    id: p.string().length(64).primary(),
    fingerprint: p.string().length(64),
    sealedAnswer: p.blob(),
    createdAt: p.datetime().onCreate(() => new Date()),
    expiresAt: p.datetime().index(),
  },
});
export class IdempotencyKey extends schema.class {}
schema.setClass(IdempotencyKey);
