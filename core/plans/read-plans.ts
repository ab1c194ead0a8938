import { raw } from '@mikro-orm/postgresql';
import type { EntityManager } from '../db/store.ts';
import { parseInstant } from '../time/instants.ts';
import { listRecords, type Page } from '../records/read-records.ts';
import { Plan } from './entity.ts';
import type { PlanState } from './schema.ts';

export const planKind = { word: 'plan', entity: Plan, searched: ['vehicleId', 'driverId'] as const };

export interface PlanQuery extends Record<string, unknown> {
  view?: 'planning' | 'published';
  state?: PlanState;
  vehicle_id?: string;
  from?: string;
  to?: string;
}

/** Without a state: what stands now in the chosen view. With one: every version in that state. */
export function listPlans(em: EntityManager, businessId: string, query: PlanQuery): Promise<Page<Plan>> {
  const filter: object[] = [];
  if (query.state) filter.push({ state: query.state });
  else if (query.record_status === undefined || query.record_status === 'active') filter.push(query.view === 'published' ? { state: 'published' } : current());
  if (query.vehicle_id) filter.push({ vehicleId: query.vehicle_id });
  if (query.from) filter.push({ endAt: { $gt: new Date(parseInstant(query.from)!) } });
  if (query.to) filter.push({ startAt: { $lt: new Date(parseInstant(query.to)!) } });
  return listRecords(em, planKind, businessId, query, filter);
}

const noDraft = (alias: string) =>
  `not exists (select 1 from plans draft where draft.business_id = ${alias}.business_id and draft.vehicle_id = ${alias}.vehicle_id and draft.shift_date = ${alias}.shift_date and draft.state = 'planning' and draft.deleted_at is null)`;

/** Planning versions, and published ones that no planning version is about to replace. */
const current = () => ({ $or: [{ state: 'planning' }, { state: 'published', [raw(noDraft)]: [] }] });
