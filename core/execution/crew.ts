import type { EntityManager } from '../db/store.ts';

/** Everybody who drives in the published plan of an order. */
export async function crewOf(em: EntityManager, businessId: string, orderId: string): Promise<string[]> {
  const rows = await em.execute<{ driver_id: string | null }[]>(
    `select distinct stop ->> 'driver_id' as driver_id
       from orders join plans on plans.business_id = orders.business_id and plans.id = orders.published_plan_id
       cross join lateral jsonb_array_elements(plans.published -> 'stops') as stop
      where orders.business_id = ? and orders.id = ?`,
    [businessId, orderId],
  );
  return rows.flatMap((row) => row.driver_id ?? []);
}
