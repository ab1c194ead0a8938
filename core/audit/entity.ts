import { defineEntity, p } from '@mikro-orm/postgresql';
import { newId } from '../records/ids.ts';
import { ofOneBusiness } from '../records/entity.ts';
import type { ActorKind } from './schema.ts';

export interface AuditedChange {
  record_kind: string;
  record_id: string;
  change: 'created' | 'updated' | 'deleted';
  /** null where the entry has too many changes to keep them all. */
  fields: Record<string, { before: unknown; after: unknown }> | null;
}

/** What somebody has done. The database refuses to change or delete a row. */
const schema = defineEntity({
  name: 'AuditEntry',
  tableName: 'audit_entries',
  properties: {
    id: p.string().length(36).primary().onCreate(newId),
    /** null for what concerns no business: to sign up, in and out. */
    businessId: p.uuid().nullable(),
    createdAt: p.datetime(),
    actorKind: p.string().length(10).$type<ActorKind>(),
    actorId: p.string().length(120).nullable(),
    /** As it was then: address, name of the key with its prefix, name of the driver. */
    actorName: p.text().nullable(),
    credentialId: p.uuid().nullable(),
    operation: p.string().length(100),
    recordKind: p.string().length(40).nullable(),
    recordId: p.string().length(120).nullable(),
    /** Every record that the entry is about, for finding it. */
    recordIds: p.json<string[]>(),
    requestId: p.string().length(200),
    address: p.string().length(60),
    changes: p.json<AuditedChange[]>(),
    changesOmitted: p.integer(),
  },
  filters: ofOneBusiness,
});
export class AuditEntry extends schema.class {}
schema.setClass(AuditEntry);
