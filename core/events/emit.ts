import type { EntityManager } from '../db/store.ts';
import { DomainEvent } from './entity.ts';
import type { EventType } from './event-types.ts';

/** Writes an event into the caller's transaction: it is told if that commits, and never if it rolls back. */
export function emit(em: EntityManager, businessId: string, type: EventType, data: object): void {
  em.persist(em.create(DomainEvent, { businessId, type, data: data as Record<string, unknown> } as never));
}
