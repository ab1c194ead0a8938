import { defineEntity, p } from '@mikro-orm/postgresql';
import { recordProperties, recordTable } from '../records/entity.ts';
import type { EvidenceKind, ImageType } from './schema.ts';

/** An image that proves something about an order. Its bytes are in the object store; a row is written only when they are safe there. */
const schema = defineEntity({
  ...recordTable,
  name: 'Evidence',
  tableName: 'evidence',
  properties: {
    ...recordProperties,
    orderId: p.string().length(120),
    kind: p.string().length(20).$type<EvidenceKind>(),
    contentType: p.string().length(20).$type<ImageType>(),
    sizeBytes: p.integer(),
    sha256: p.string().length(64),
    width: p.integer(),
    height: p.integer(),
    uploadedBy: p.string().length(120),
    /** Where the object store has the bytes. */
    objectKey: p.string().length(200).unique(),
  },
});
export class Evidence extends schema.class {}
schema.setClass(Evidence);
