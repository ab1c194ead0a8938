import { conflict } from '../contract/errors.ts';
import type { EvidenceSettings } from '../businesses/entity.ts';
import type { EntityManager } from '../db/store.ts';
import type { Order } from '../orders/entity.ts';
import { Evidence } from './entity.ts';
import type { EvidenceKind } from './schema.ts';

/** Spec 3.1, rule 6: required evidence is there before an order is completed. A break needs none. */
export async function refuseWithoutEvidence(em: EntityManager, settings: EvidenceSettings, order: Pick<Order, 'id' | 'type'>): Promise<void> {
  const missing = await missingEvidence(em, settings, order);
  if (missing.length > 0) throw conflict(`the order ${order.id} can not be completed without a ${missing.join(' and a ')}`, missing.map((kind) => ({ path: '', message: `a ${kind} is required` })));
}

async function missingEvidence(em: EntityManager, settings: EvidenceSettings, order: Pick<Order, 'id' | 'type'>): Promise<EvidenceKind[]> {
  if (order.type === 'break') return [];
  const required: EvidenceKind[] = [...(settings.require_photos ? ['photo' as const] : []), ...(settings.require_signature ? ['signature' as const] : [])];
  if (required.length === 0) return [];
  const there = new Set((await em.find(Evidence, { orderId: order.id, deletedAt: null, kind: { $in: required } })).map(({ kind }) => kind));
  return required.filter((kind) => !there.has(kind));
}
