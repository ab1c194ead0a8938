import { conflict, invalidAll, preconditionFailed, throwIfAny, type Problem } from '../contract/errors.ts';
import type { EntityManager } from '../db/store.ts';
import { presentOrderForDriver } from '../driver-app/refresh.ts';
import type { Order } from '../orders/entity.ts';
import { orderProblems } from '../orders/rules.ts';
import { isFinished } from '../plans/current-plans.ts';
import { ownOrder, refuseOffDuty } from './own-order.ts';
import { performAction } from './perform-action.ts';
import type { OrderAction } from './run-order.ts';
import type { DriverOrderPatch } from './schema.ts';

/** Writes what drivers may write: the fields that the order's own schemas open to them. */
export function editOrder(em: EntityManager, { businessId, driverId, orderId, input, ifMatch }: OrderAction<DriverOrderPatch>): Promise<object> {
  return performAction(em, { businessId, driverId, orderId, kind: 'order_edited', input }, async ({ driver }) => {
    const order = await ownOrder(em, driver.id, orderId, { lock: true });
    if (ifMatch && !ifMatch.includes(order.revision)) throw preconditionFailed(order.revision);
    refuseOffDuty(driver);
    if (isFinished(order.status)) throw conflict(`the order is ${order.status}`);
    throwIfAny(permissionProblems(order, input.custom_fields));
    const merged = Object.entries({ ...order.customFields, ...input.custom_fields }).filter(([, value]) => value !== null);
    order.customFields = Object.fromEntries(merged);
    const problems = orderProblems(order).filter(({ path }) => path.startsWith('/custom_fields/'));
    if (problems.length > 0) throw invalidAll(problems);
    await em.flush();
    return { answer: presentOrderForDriver(order) };
  });
}

/** A field that drivers do not see is not there for them. */
function permissionProblems(order: Order, values: Record<string, unknown>): Problem[] {
  const fields = new Map(order.schemaSnapshot.schemas.flatMap((schema) => schema.fields.map((field) => [field.id, field] as const)));
  return Object.keys(values).flatMap((id) => {
    const field = fields.get(id);
    if (field?.driver_editable) return [];
    return [{ path: `/custom_fields/${id.replaceAll('~', '~0').replaceAll('/', '~1')}`, message: field?.driver_visible ? 'is not for drivers to change' : 'is not a custom field of this order' }];
  });
}
