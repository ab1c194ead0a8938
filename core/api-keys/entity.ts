import { defineEntity, p } from '@mikro-orm/postgresql';
import type { Scope } from '../contract/scopes.ts';
import { recordProperties, recordTable } from '../records/entity.ts';

const schema = defineEntity({
  ...recordTable,
  name: 'ApiKey',
  tableName: 'api_keys',
  properties: {
    ...recordProperties,
    name: p.string().length(200),
    scopes: p.json<Scope[]>(),
    prefix: p.string().length(20),
    keyHash: p.string().length(64).unique(),
    lastUsedAt: p.datetime().nullable(),
    expiresAt: p.datetime().nullable(),
    revokedAt: p.datetime().nullable(),
  },
});
export class ApiKey extends schema.class {}
schema.setClass(ApiKey);
