import type { Context } from '../context.ts';
import { fillPath } from '../derived/fill-path.ts';
import { CommandFailure } from '../failures.ts';
import type { Place, Plan } from './plan.ts';

type View = 'planning' | 'published';
type Position = [longitude: number, latitude: number];

/** The route of a plan, as far as the command line looks into it. */
export interface GeoJsonRoute {
  attribution: string | null;
  features: { geometry: { type: 'LineString'; coordinates: Position[] } | { type: 'Point'; coordinates: Position } }[];
}

/** The way of each plan along the roads, by id of the plan. */
export interface DrawnRoutes {
  lines: ReadonlyMap<string, readonly Place[]>;
  /** Who has to be named with them. */
  attributions: readonly string[];
}

export const readRoute = (planId: string, view: View | undefined, context: Context): Promise<GeoJsonRoute> => context.client.get(routePath(planId, context), { view });

const routePath = (planId: string, context: Context): string => fillPath('/api/v1/businesses/{id}/plans/{record_id}/route', { record_id: planId }, context);

const routesAtOnce = 4;

/**
 * For a drawing, which does without: as soon as the service can not say where a route runs, the rest is not asked for. It is not
 * asked twice either, for nobody waits for a nicer line.
 */
export async function readRoutes(plans: readonly Plan[], view: View, context: Context): Promise<DrawnRoutes> {
  const lines = new Map<string, readonly Place[]>();
  const attributions = new Set<string>();
  const driven = plans.filter(({ stops }) => stops.length > 0);
  for (let first = 0; first < driven.length; first += routesAtOnce) {
    const some = driven.slice(first, first + routesAtOnce);
    const routes = await Promise.all(some.map(({ id }) => routeIfAny(id, view, context)));
    for (const [nth, route] of routes.entries()) {
      if (route === null) continue;
      lines.set(some[nth].id, lineOf(route));
      if (route.attribution !== null) attributions.add(route.attribution);
    }
    if (routes.includes(null)) break;
  }
  return { lines, attributions: [...attributions] };
}

async function routeIfAny(planId: string, view: View, context: Context): Promise<GeoJsonRoute | null> {
  try {
    const response = await context.client.fetch({ method: 'GET', path: routePath(planId, context), query: { view } });
    return response.ok ? ((await response.json()) as GeoJsonRoute) : null;
  } catch (error) {
    if (error instanceof CommandFailure || error instanceof SyntaxError) return null;
    throw error;
  }
}

const lineOf = ({ features }: GeoJsonRoute): Place[] =>
  features.flatMap(({ geometry }) => (geometry.type === 'LineString' ? geometry.coordinates.map(([longitude, latitude]) => ({ latitude, longitude })) : []));
