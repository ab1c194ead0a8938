import { unavailable } from '../../core/contract/errors.ts';
import { reader } from '../../core/db/store.ts';
import type { Evidence } from '../../core/evidence/entity.ts';
import { presentEvidence } from '../../core/evidence/present.ts';
import { evidenceKind, listEvidence } from '../../core/evidence/read-evidence.ts';
import type { EvidenceInput } from '../../core/evidence/schema.ts';
import { contentOf, storeEvidence, StoreFailed, type EvidenceUpload } from '../../core/evidence/store-evidence.ts';
import { orderForEvidence } from '../../core/execution/order-for-evidence.ts';
import { orderKind } from '../../core/orders/write-orders.ts';
import type { Order } from '../../core/orders/entity.ts';
import { getRecord } from '../../core/records/read-records.ts';
import { lockRecord } from '../../core/records/write-records.ts';
import { actorOf } from '../../core/accounts/credential.ts';
import type { Call, Handlers } from '../call.ts';
import { driverOf } from './driver-app.ts';

/** Why bytes could not be stored or read is for the log. */
async function logged<T>(call: Call, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof StoreFailed)) throw error;
    call.service.log.error({ err: error.cause, requestId: call.requestId }, error.message);
    throw unavailable(error.message);
  }
}

async function upload(call: Call, { uploadedBy, order }: Pick<EvidenceUpload, 'uploadedBy' | 'order'>): Promise<{ body: object }> {
  const { service, businessId, body } = call;
  const evidence = await logged(call, () => storeEvidence(service.store, service.objects, { businessId, input: body as unknown as EvidenceInput, uploadedBy, order }));
  return { body: presentEvidence(evidence) };
}

export const evidenceHandlers: Handlers = {
  'evidence.upload': (call) => upload(call, {
    uploadedBy: actorOf(call.credential!),
    order: (em, isFinal) => (isFinal ? lockRecord<Order>(em, orderKind, call.params.order) : getRecord<Order>(em, orderKind, call.params.order)),
  }),
  'driver.evidence.upload': (call) => {
    const { businessId, driverId } = driverOf(call);
    return upload(call, { uploadedBy: driverId, order: (em, isFinal) => orderForEvidence(em, { businessId, driverId, orderId: call.params.order }, isFinal) });
  },
  'evidence.list': async ({ service, businessId, params, query }) => {
    const { records, nextCursor } = await listEvidence(reader(service.store, businessId), businessId, params.order, query);
    return { body: { items: records.map(presentEvidence), next_cursor: nextCursor } };
  },
  'evidence.content': async (call) => {
    const { service, businessId, params } = call;
    const evidence = await getRecord<Evidence>(reader(service.store, businessId), evidenceKind, params.evidence_id);
    const bytes = await logged(call, () => contentOf(service.objects, evidence.objectKey));
    return {
      content: { bytes, sizeBytes: evidence.sizeBytes },
      headers: {
        'Content-Type': evidence.contentType,
        ETag: `"${evidence.sha256}"`,
        'Content-Disposition': `inline; filename="${evidence.kind}-${evidence.sha256.slice(0, 12)}.${evidence.contentType.slice('image/'.length)}"`,
        'X-Content-Type-Options': 'nosniff',
        'Content-Security-Policy': "default-src 'none'; sandbox",
        'Cache-Control': 'private, no-cache',
      },
    };
  },
};
