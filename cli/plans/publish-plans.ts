import type { Input } from '../command.ts';
import type { Context } from '../context.ts';
import { fillPath } from '../derived/fill-path.ts';
import { visible } from '../display-width.ts';
import { exitCodes } from '../exit-codes.ts';
import { wrongUsage } from '../failures.ts';
import type { Order, Plan } from './plan.ts';
import { readPlans } from './read-plans.ts';

interface Options {
  all?: boolean;
  orders?: string[];
  acknowledgeWarnings?: boolean;
  validateOnly?: boolean;
}

interface Publication {
  id: string;
  plan_ids: string[];
  order_ids: string[];
}

export async function publishPlans({ operands: ids, options }: Input, context: Context): Promise<number> {
  const { all, orders: orderIds = [], acknowledgeWarnings, validateOnly } = options as Options;
  if (all && ids.length > 0) throw wrongUsage('--all and plan ids contradict each other');
  if (!all && ids.length === 0 && orderIds.length === 0) throw wrongUsage('what shall be published? give plan ids, --all or --orders');
  const plans = all || ids.length > 0 ? (await readPlans({ ids, view: 'planning' }, context)).filter(({ state }) => !all || state === 'planning') : [];
  const orders = await Promise.all(orderIds.map((id) => context.client.get<Order>(fillPath('/api/v1/businesses/{id}/orders/{order}', { order: id }, context))));
  if (plans.length === 0 && orders.length === 0) {
    context.note('there is nothing to publish: no plan is in planning');
    if (context.isJson) context.printJson(null);
    return exitCodes.ok;
  }
  const isHeld = showWarnings(plans, context) > 0 && !acknowledgeWarnings;
  if (isHeld) {
    context.note('nothing was published. If these are fine, repeat with --acknowledge-warnings; else see the routes with: milkrun plans show');
    return exitCodes.usage;
  }
  const publication = await send(plans, orders, { acknowledgeWarnings, validateOnly }, context);
  if (context.isJson) context.printJson(publication);
  else context.print(`${validateOnly ? 'Would publish' : 'Published'} ${plans.length} plans${orders.length > 0 ? ` and ${orders.length} orders` : ''}${validateOnly ? '; nothing was changed' : ` as ${publication.id}`}\n`);
  return exitCodes.ok;
}

/** The revisions are those just read: what somebody changes meanwhile is not published unseen. */
function send(plans: readonly Plan[], orders: readonly Order[], { acknowledgeWarnings, validateOnly }: Options, context: Context): Promise<Publication> {
  return context.client.send<Publication>({
    method: 'POST', path: fillPath('/api/v1/businesses/{id}/plans/publish', {}, context), query: { validate_only: validateOnly || undefined },
    body: {
      plan_ids: plans.map(({ id }) => id), order_ids: orders.map(({ id }) => id),
      expected_revision: [...plans, ...orders].map(({ id, revision }) => ({ id, revision })),
      ...(acknowledgeWarnings ? { acknowledge_warnings: true } : {}),
    },
  });
}

/** How many there are. */
function showWarnings(plans: readonly Plan[], context: Context): number {
  const warnings = plans.flatMap((plan) => plan.warnings.map((warning) => `${plan.vehicle_id} ${plan.date} (${plan.id}): ${warning}`));
  for (const warning of warnings) context.note(visible(`warning: ${warning}`));
  return warnings.length;
}
