import type { EntityManager } from '../db/store.ts';
import { DomainEvent } from './entity.ts';
import { requestIdNow } from './request-scope.ts';
import type { DerivedEventType, EventType } from './schema.ts';

/**
 * Writes an event into the caller's transaction: it is told if that commits, and never if it rolls back. `data` is the record as it
 * is shown. Events of orders, plans and jobs are not for callers: see `DerivedEventType`.
 */
export function emit(em: EntityManager, businessId: string, type: Exclude<EventType, DerivedEventType>, data: object): void {
  em.persist(em.create(DomainEvent, { businessId, type, data: data as Record<string, unknown>, requestId: requestIdNow() } as never));
}
