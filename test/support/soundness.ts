import type { LineWorld } from './line-world.ts';
import { complaintsAbout } from './sound-day.ts';

/** What must be empty, whatever has happened in a business. `$1` is the business; each row says what is wrong. */
const contradictions = {
  'two current versions of one shift': `
    select vehicle_id, shift_date, state from plans where business_id = $1 and state <> 'superseded' and deleted_at is null group by vehicle_id, shift_date, state having count(*) > 1`,
  'an order that its plan does not serve': `
    select o.id, o.plan_id from orders o left join plans p on p.business_id = o.business_id and p.id = o.plan_id
    where o.business_id = $1 and o.deleted_at is null and o.plan_id is not null
      and (p.id is null or p.state = 'superseded' or not exists (select from jsonb_array_elements(p.stops) as stop where stop ->> 'order_id' = o.id))`,
  'an order in a draft that does not know of it': `
    select o.id, p.id as plan_id from plans p cross join lateral jsonb_array_elements(p.stops) as stop join orders o on o.business_id = p.business_id and o.id = stop ->> 'order_id'
    where p.business_id = $1 and p.state = 'planning' and p.deleted_at is null and o.plan_id is distinct from p.id`,
  'an order that is published in one plan and not in it': `
    select o.id, o.published_plan_id from orders o left join plans p on p.business_id = o.business_id and p.id = o.published_plan_id
    where o.business_id = $1 and o.deleted_at is null and o.published_plan_id is not null
      and (p.state is distinct from 'published' or not exists (select from jsonb_array_elements(p.published -> 'stops') as stop where stop ->> 'order_id' = o.id))`,
  'a driver at two orders': `
    select published_driver_id from orders where business_id = $1 and status = 'in_progress' and deleted_at is null group by published_driver_id having count(*) > 1`,
  'a confirmed reservation without its order': `
    select r.id from reservations r left join orders o on o.business_id = r.business_id and o.id = r.order_id where r.business_id = $1 and r.state = 'confirmed' and o.id is null`,
  'two confirmed reservations of one group': `
    select group_id from reservations where business_id = $1 and state = 'confirmed' group by group_id having count(*) > 1`,
  'a gap or a twin among the numbers of the events of an order': `
    select id, numbers from (
      select data ->> 'id' as id, array_agg((data ->> 'sequence')::int order by position) as numbers from events where business_id = $1 and type like 'order.%' group by data ->> 'id'
    ) as told where numbers <> array(select generate_series(1, cardinality(numbers)))`,
};

/** All that does not hold together in the business, with what the verifier says of its plans; empty where all is well. */
export async function unsoundness(w: LineWorld): Promise<string[]> {
  const found = await Promise.all(Object.entries(contradictions).map(async ([what, statement]) => (await w.sql(statement, [w.id])).map((row) => `${what}: ${JSON.stringify(row)}`)));
  return [...found.flat(), ...(await complaintsAbout(w))];
}
