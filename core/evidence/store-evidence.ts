import type { Readable } from 'node:stream';
import { reader, transaction, type EntityManager, type Store } from '../db/store.ts';
import { emit } from '../events/emit.ts';
import type { Order } from '../orders/entity.ts';
import { newId } from '../records/ids.ts';
import { decodeImage } from './decode-image.ts';
import { Evidence } from './entity.ts';
import type { ObjectStore } from './object-store.ts';
import { presentEvidence } from './present.ts';
import type { EvidenceInput } from './schema.ts';

export interface EvidenceUpload {
  businessId: string;
  input: EvidenceInput;
  /** An account, a key or a driver. */
  uploadedBy: string;
  /** The order, where the sender may add evidence to it; throws where not. `isFinal`: locked, because what follows depends on it. */
  order: (em: EntityManager, isFinal: boolean) => Promise<Order>;
}

/**
 * Keeps an image for an order. The bytes are safe in the object store before the row is written: a crash in between leaves an object
 * that nobody refers to, which is swept later, and never a row without its image. An image that the order has already is not kept
 * twice: whoever sends it again gets the record that is there.
 */
export async function storeEvidence(store: Store, objects: ObjectStore, { businessId, input, uploadedBy, order }: EvidenceUpload): Promise<Evidence> {
  const { kind, content_type: contentType, bytes } = input;
  const em = reader(store, businessId);
  const { id: orderId } = await order(em, false);
  const { width, height } = await decodeImage(bytes, contentType);
  const sha256 = Buffer.from(await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>)).toString('hex');
  const same = { orderId, kind, sha256, deletedAt: null };
  const present = await em.findOne(Evidence, same);
  if (present) return present;

  const id = newId();
  const objectKey = keyOf(businessId, sha256, id);
  await objects.put(objectKey, bytes, contentType).catch((error: unknown) => Promise.reject(new StoreFailed('the image could not be stored', { cause: error })));
  return transaction(store, businessId, async (tx) => {
    await order(tx, true);
    const meanwhile = await tx.findOne(Evidence, same);
    if (meanwhile) return meanwhile;
    const evidence = tx.create(Evidence, { businessId, id, orderId, kind, contentType, sizeBytes: bytes.length, sha256, width, height, uploadedBy, objectKey } as never) as Evidence;
    await tx.persist(evidence).flush();
    emit(tx, businessId, 'evidence.created', presentEvidence(evidence));
    await tx.flush();
    return evidence;
  });
}

/** The object store does not do what it is for. The cause is not for clients. */
export class StoreFailed extends Error {}

/** The bytes of evidence that is on record. */
export async function contentOf(objects: ObjectStore, objectKey: string): Promise<Readable> {
  const bytes = await objects.read(objectKey).catch((error: unknown) => Promise.reject(new StoreFailed('the image could not be read', { cause: error })));
  if (bytes === null) throw new StoreFailed('the image could not be read', { cause: new Error(`nothing is stored under ${objectKey}`) });
  return bytes;
}

/**
 * By business and content. The id of the record makes it this upload's own, so that sweeping the leavings of one that failed can
 * never take away what another one has just put there.
 */
const keyOf = (businessId: string, sha256: string, id: string): string => `${businessId}/${sha256.slice(0, 2)}/${sha256}-${id}`;
