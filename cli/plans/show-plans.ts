import type { Input } from '../command.ts';
import type { Context } from '../context.ts';
import { mapsOf } from './plan-maps.ts';
import { renderPlans } from './plan-tables.ts';
import { reviewPlans } from './read-plans.ts';
import { readRoutes } from './read-routes.ts';

interface Options {
  vehicle?: string;
  date?: string;
  view?: 'planning' | 'published';
  map?: boolean;
  width?: number;
}

export async function showPlans({ operands: ids, options }: Input, context: Context): Promise<void> {
  const { vehicle, date, view = 'planning', map = true, width } = options as Options;
  const review = await reviewPlans({ ids, vehicle, date, view }, context);
  if (context.isJson) return context.printJson({ time_zone: review.timeZone, view, plans: review.plans, unplanned: review.unplanned });
  if (review.plans.length === 0) context.note(view === 'published' ? 'nothing is published' : 'there are no plans; make some with: milkrun plans preview');
  context.print(renderPlans(review, context));
  if (map) context.print(mapsOf(review, await readRoutes(review.plans, view, context), { columns: width ?? Math.min(context.widthMax ?? 100, 120), paint: context.paint }));
}
