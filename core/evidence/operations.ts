import { bodyLimits, businessPath, inBusiness, operation, usualErrors } from '../contract/operation.ts';
import { listOf, listQuery } from '../contract/schemas.ts';
import { evidence, evidenceInput } from './schema.ts';

/** One white pixel. */
const pixel = [
  137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 13, 73, 72, 68, 82, 0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0, 58, 126, 155, 85, 0, 0, 0, 10,
  73, 68, 65, 84, 8, 215, 99, 248, 15, 0, 1, 1, 1, 0, 27, 182, 238, 86, 0, 0, 0, 0, 73, 69, 78, 68, 174, 66, 96, 130,
];
const upload = {
  tag: 'evidence', method: 'POST', body: evidenceInput, byteArray: 'bytes', bodyLimit: bodyLimits.evidence, status: 200, answer: evidence, errors: usualErrors,
  example: { body: { kind: 'photo', content_type: 'image/png', bytes: pixel } },
} as const;
const again = 'The image is really decoded: one that is damaged, or of another type than stated, is refused. An image that the order has already is not kept twice.';

const uploadEvidence = operation({
  ...upload, id: 'evidence.upload', path: `${businessPath}/orders/{order}/evidence`, summary: 'Add evidence to an order', description: again,
  access: inBusiness('evidence.manage'),
});
const uploadDriverEvidence = operation({
  ...upload, id: 'driver.evidence.upload', path: '/api/v1/driver/orders/{order}/evidence', summary: 'Add evidence to an order of the driver',
  description: `For the driver's own published orders. ${again}`, access: { kind: 'driver' },
});
const listEvidence = operation({
  id: 'evidence.list', method: 'GET', path: `${businessPath}/orders/{order}/evidence`, tag: 'evidence', summary: 'List the evidence of an order',
  access: inBusiness('evidence.manage'), query: listQuery, status: 200, answer: listOf(evidence), errors: usualErrors,
});
const getEvidenceContent = operation({
  id: 'evidence.content', method: 'GET', path: `${businessPath}/evidence/{evidence_id}/content`, tag: 'evidence', summary: 'The image itself',
  description: 'In the content type that it was uploaded with. The ETag is its SHA-256.',
  access: inBusiness('evidence.manage'), status: 200, produces: 'image/*', precondition: 'If-None-Match', errors: usualErrors,
});

export const evidenceOperations = [uploadEvidence, listEvidence, getEvidenceContent, uploadDriverEvidence];
