import type { Input } from '../command.ts';
import type { Context } from '../context.ts';
import { visible } from '../display-width.ts';
import type { Order, Plan, Stop } from '../plans/plan.ts';
import { renderTable } from '../table.ts';

interface Work {
  driver: { id: string; name: string };
  plans: Plan[];
  orders: Order[];
  server_time: string;
}

/** What the driver's own device would show: published snapshots, in the time zone of this machine. */
export async function showPublishedWork(_input: Input, context: Context): Promise<void> {
  const work = await context.client.get<Work>('/api/v1/driver/refresh');
  if (context.isJson) return context.printJson(work);
  const statusOf = new Map(work.orders.map(({ id, status }) => [id, status]));
  if (work.plans.length === 0) return context.note(`nothing is published for ${work.driver.name}`);
  for (const plan of work.plans.toSorted((one, other) => one.date.localeCompare(other.date))) {
    const { stops } = plan.published ?? plan;
    context.print(`${context.paint('bold', visible(`${work.driver.name}: ${plan.vehicle_id}  ${plan.date}`))}\n${renderTable([
      { title: '#', align: 'right', value: ({ sequence }: Stop) => sequence },
      { title: 'kind', value: ({ kind }) => kind },
      { title: 'order', value: ({ order_id: id }) => id },
      { title: 'start', value: ({ start_at: at }) => at },
      { title: 'end', value: ({ end_at: at }) => at },
      { title: 'status', value: ({ order_id: id }) => statusOf.get(id ?? '') },
      { title: 'place', value: ({ location }) => `${location.latitude},${location.longitude}` },
    ], stops, context)}\n`);
  }
}
