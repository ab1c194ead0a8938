import { lockCapacity, takeCapacity } from '../businesses/capacity.ts';
import { transaction, type EntityManager } from '../db/store.ts';
import type { JobProgress } from '../jobs/entity.ts';
import { endJob, lockRun } from '../jobs/runs.ts';
import { activeNetwork, type RoadNetwork } from '../networks/active-network.ts';
import { notify } from '../notifications/notify.ts';
import { driversIn } from '../plans/stops.ts';
import type { StoredRecord } from '../records/entity.ts';
import type { PlanDraft } from './assemble-plans.ts';
import type { Unplanned } from './explain-unplanned.ts';
import type { PlanningFacts, ShiftFacts } from './facts.ts';
import { readFacts } from './read-facts.ts';
import type { PlanningContext } from './run-planning.ts';
import { saveVersions } from './save-versions.ts';

/** Everything that a run wants to write, and what it read to get there. */
export interface Commitment {
  facts: PlanningFacts;
  network: RoadNetwork;
  /** The shifts whose plan changes. */
  drafts: PlanDraft[];
  allDrafts: PlanDraft[];
  frozen: ShiftFacts[];
  unplanned: Unplanned[];
  metrics: Record<string, number> & { planned: number };
  /** Somebody has ended the search before its time, and wants what it had found. */
  isStoppedEarly: boolean;
}

export type CommitOutcome = 'committed' | 'changed' | 'cancelled' | 'overtaken';

/**
 * Writes the plans and ends the job in one transaction, once: a run that has been overtaken or cancelled writes nothing, and one
 * whose records have changed since it read them is told so.
 */
export async function commitPlans({ store, run, request }: PlanningContext, commitment: Commitment, progress: JobProgress): Promise<CommitOutcome> {
  return transaction(store, run.businessId, async (em) => {
    await lockCapacity(em, run.businessId);
    const { job, state } = await lockRun(em, run);
    if (state === 'overtaken') return 'overtaken';
    if (state === 'cancelled') {
      await endJob(em, job, { status: 'cancelled' });
      return 'cancelled';
    }
    const now = await readFacts(em, run.businessId, request);
    const network = await activeNetwork(em, now.business);
    if (network.version !== commitment.network.version || hasChanged(commitment.facts, now)) return 'changed';
    if (commitment.drafts.length > 0) await takeCapacity(em, run.businessId);
    const result = await write(em, run.businessId, { commitment, jobId: run.jobId });
    if (now.business.planning.notify_unplanned) notifyUnplanned(em, run, commitment.unplanned);
    await endJob(em, job, { status: 'completed', result, progress });
    return 'committed';
  });
}

function notifyUnplanned(em: EntityManager, { businessId, jobId }: PlanningContext['run'], unplanned: Unplanned[]): void {
  if (unplanned.length === 0) return;
  const message = unplanned.length === 1 ? `The order ${unplanned[0].order_id} could not be planned.` : `${unplanned.length} orders could not be planned.`;
  notify(em, businessId, { kind: 'unplanned_orders', message, data: { job_id: jobId, order_ids: unplanned.map(({ order_id: id }) => id) } });
}

async function write(em: EntityManager, businessId: string, { commitment, jobId }: { commitment: Commitment; jobId: string }): Promise<Record<string, unknown>> {
  const { drafts, allDrafts, frozen, unplanned, metrics, isStoppedEarly } = commitment;
  const unplannedOrderIds = unplanned.map(({ order_id: id }) => id);
  const versions = drafts.map((draft) => ({ draft: { ...draft, vehicleId: draft.shift.vehicle.id, date: draft.shift.date }, unplannedOrderIds, jobId }));
  const plans = await saveVersions(em, businessId, versions);
  const kept = [...allDrafts.filter((draft) => !drafts.includes(draft)).map((draft) => draft.shift), ...frozen].flatMap(({ plan }) => (plan?.state === 'planning' ? [plan.id] : []));
  const { planned, unplanned: _count, ...rest } = metrics;
  return { plan_ids: [...plans.map((plan) => plan.id), ...kept], planned, unplanned, metrics: rest, ...(isStoppedEarly ? { stopped_early: true } : {}) };
}

/** Has anything that the run decided upon changed? What has come since does not count: it was not there to be planned. */
function hasChanged(before: PlanningFacts, now: PlanningFacts): boolean {
  const present = revisionsOf(now);
  for (const [key, revision] of revisionsOf(before)) if (present.get(key) !== revision) return true;
  return planKeys(before) !== planKeys(now);
}

function revisionsOf({ business, shifts, unplanned, planned, otherPlans, drivers }: PlanningFacts): Map<string, number> {
  const revisions = new Map<string, number>([['business', business.revision]]);
  const note = (kind: string, record: Pick<StoredRecord, 'id' | 'revision'> | null) => record && revisions.set(`${kind}:${record.id}`, record.revision);
  for (const shift of shifts) {
    note('vehicle', shift.vehicle);
    note('warehouse', shift.warehouse);
    note('plan', shift.plan);
    for (const id of [shift.vehicle.driverId, ...driversIn(shift.plan)]) note('driver', id ? (drivers.get(id) ?? null) : null);
  }
  for (const order of [...unplanned, ...planned.values()]) note('order', order);
  for (const plan of otherPlans) note('plan', plan);
  return revisions;
}

/** A version that has appeared for one of the shifts is a change of it. */
const planKeys = ({ shifts, otherPlans }: PlanningFacts): string => [...shifts.map(({ plan }) => plan?.id ?? '-'), ...otherPlans.map((plan) => plan.id).sort()].join(' ');
