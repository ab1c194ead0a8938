import type { EntityManager } from '../db/store.ts';
import { Plan } from '../plans/entity.ts';
import { instantOrNull } from '../records/present.ts';
import type { Drive } from './legs.ts';

/** What a plan says is driven in a view: like the plan itself, the draft where nothing has been published. */
export async function readDrive(em: EntityManager, plan: Plan, view: 'planning' | 'published'): Promise<Drive> {
  const snapshot = view === 'published' ? plan.published : null;
  if (!snapshot) return { startAt: instantOrNull(plan.startAt), stops: plan.stops, returnLeg: plan.returnLeg ?? null, origin: plan.origin ?? null };
  const { start_at: startAt, stops, return_leg: returnLeg } = snapshot;
  return { startAt, stops, returnLeg, origin: (await versionOf(em, plan))?.origin ?? null };
}

/** The version that was published: later ones carry its snapshot with them, so it is the first that has it. */
async function versionOf(em: EntityManager, { vehicleId, shiftDate, published }: Plan): Promise<Plan | null> {
  const [version] = await em.find(Plan, { vehicleId, shiftDate, published: { publication_id: published!.publication_id } } as never, { orderBy: [{ createdAt: 'asc' }, { id: 'asc' }], limit: 1 });
  return version ?? null;
}
