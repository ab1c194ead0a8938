import type { FromSchema } from 'json-schema-to-ts';
import { idSchema, recordOf } from '../contract/schemas.ts';

export const evidenceKinds = ['photo', 'signature'] as const;
export type EvidenceKind = (typeof evidenceKinds)[number];

export const imageTypes = ['image/png', 'image/jpeg', 'image/webp'] as const;
export type ImageType = (typeof imageTypes)[number];

const kind = { type: 'string', enum: evidenceKinds } as const;
const contentType = { type: 'string', enum: imageTypes } as const;

/** Spec 2.12. `bytes` is read while it arrives (`byteArray` of the operation), so handlers get a Buffer. */
export const evidenceInput = {
  title: 'EvidenceInput', type: 'object', additionalProperties: false, required: ['kind', 'content_type', 'bytes'],
  properties: {
    kind,
    content_type: { ...contentType, description: 'What the image really is: it is decoded.' },
    bytes: { type: 'array', items: { type: 'integer', minimum: 0, maximum: 255 }, description: 'The bytes of the image file, as numbers.' },
  },
} as const;
export type EvidenceInput = Omit<FromSchema<typeof evidenceInput>, 'bytes'> & { bytes: Buffer };

export const evidenceFields = {
  order_id: idSchema,
  kind,
  content_type: contentType,
  size_bytes: { type: 'integer', minimum: 1 },
  sha256: { type: 'string', minLength: 64, maxLength: 64, description: 'Of the content, in hexadecimal.' },
  width: { type: 'integer', minimum: 1, description: 'Pixels, as they are stored in the file.' },
  height: { type: 'integer', minimum: 1 },
  uploaded_by: { type: 'string', description: 'The account, key or driver that sent it.' },
} as const;
export const evidence = recordOf('Evidence', evidenceFields);
