import type { EventSubscriber, FlushEventArgs } from '@mikro-orm/core';

const watched = ['Order', 'Plan', 'Job'] as const;
type Watched = (typeof watched)[number];

/** What a unit of work has done to one record, over all its flushes. */
export interface Change {
  of: Watched;
  /** The record as it is now. */
  record: object;
  isNew: boolean;
  /** What was written by property: the value before the first flush and that after the last one, in the form of the database. */
  written: Map<string, { before: unknown; after: unknown }>;
}

const changesByUnit = new WeakMap<object, Map<string, Change>>();

/** Notes what flushes write to the records that events are about. Statements made by hand go unnoticed. */
export const changeWatcher: EventSubscriber = {
  onFlush({ uow }: FlushEventArgs) {
    for (const changeSet of uow.getChangeSets()) note(uow, changeSet as never);
  },
};

interface Written {
  meta: { className: string };
  type: string;
  entity: { id: string };
  payload: Record<string, unknown>;
  originalEntity?: Record<string, unknown>;
}

function note(unit: object, { meta, type, entity, payload, originalEntity = {} }: Written): void {
  const of = watched.find((name) => name === meta.className);
  if (of === undefined) return;
  const changes = changesByUnit.get(unit) ?? new Map<string, Change>();
  changesByUnit.set(unit, changes);
  const key = `${of} ${entity.id}`;
  const change = changes.get(key) ?? { of, record: entity, isNew: type === 'create', written: new Map() };
  // After a clear of the entity manager the same row comes back as another object.
  change.record = entity;
  for (const [property, after] of Object.entries(payload)) {
    const before = change.written.get(property)?.before;
    change.written.set(property, { before: change.written.has(property) ? before : originalEntity[property], after });
  }
  changes.set(key, change);
}

/** The changes so far, in the order of the first flush of each; they are handed out once. */
export function takeChanges(unit: object): Change[] {
  const changes = changesByUnit.get(unit);
  changesByUnit.delete(unit);
  return changes ? [...changes.values()] : [];
}
