import { p } from '@mikro-orm/postgresql';
import { newId } from './ids.ts';

/**
 * What every stored record has (spec 2.1), keyed by business first, so that a table can be partitioned by business.
 * `revision` is counted by the ORM: an update of a row that has changed meanwhile throws an OptimisticLockError.
 */
export const recordProperties = {
  businessId: p.uuid().primary(),
  id: p.string().length(120).primary().onCreate(newId),
  createdAt: p.datetime().onCreate(() => new Date()),
  updatedAt: p.datetime().onCreate(() => new Date()).onUpdate(() => new Date()),
  revision: p.integer().version(),
  deletedAt: p.datetime().nullable(),
  deletedBy: p.uuid().nullable(),
};

export interface StoredRecord {
  businessId: string;
  id: string;
  createdAt: Date;
  updatedAt: Date;
  revision: number;
  deletedAt?: Date | null;
  deletedBy?: string | null;
}

/**
 * The rest of a table of one business's records. Every query on it is limited to the business that the entity manager was opened
 * for (`inBusiness` in `core/db/store.ts`); a query outside of one throws instead of reading everybody's rows.
 */
export const ofOneBusiness = {
  business: { name: 'business', cond: (args: { businessId: string }) => ({ businessId: args.businessId }), args: true, default: true },
};
export const recordTable = { filters: ofOneBusiness, indexes: [{ properties: ['businessId', 'createdAt', 'id'] as ('businessId' | 'createdAt' | 'id')[] }] };
