import { conflict } from '../contract/errors.ts';
import type { EntityManager } from '../db/store.ts';
import { Order } from '../orders/entity.ts';
import type { Intent } from '../records/kind.ts';
import { lockRecord, markDeleted } from '../records/write-records.ts';
import { isFinished } from './current-plans.ts';
import type { Plan } from './entity.ts';
import { planKind } from './read-plans.ts';
import { orderIdsOf } from './stops.ts';

/** Only a version that counts no more can go: a superseded one, or a published one whose work has come to its end. */
export async function deletePlan(em: EntityManager, id: string, intent: Intent): Promise<void> {
  const plan = await lockRecord<Plan>(em, planKind, id, { ifMatch: intent.ifMatch });
  if (plan.state === 'planning') throw conflict('the plan is the current planning version of its shift');
  if (plan.state === 'published' && !(await isTerminal(em, plan))) throw conflict('the plan is published and its work is not finished');
  markDeleted(plan, intent);
  await em.flush();
}

async function isTerminal(em: EntityManager, plan: Plan): Promise<boolean> {
  const orders = await em.find(Order, { id: { $in: orderIdsOf(plan) } });
  return orders.every((order) => isFinished(order.status) || order.deletedAt);
}
