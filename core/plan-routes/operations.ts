import { businessPath, inBusiness, operation, usualErrors } from '../contract/operation.ts';
import { listQuery, viewQuery } from '../contract/schemas.ts';
import { planRoute } from './schema.ts';

const getPlanRoute = operation({
  id: 'plans.route', method: 'GET', path: `${businessPath}/plans/{record_id}/route`, tag: 'plans', summary: 'The route of a plan on the map, as GeoJSON',
  description: 'A LineString along the roads for each leg, in order of driving, then a Point for each stop. The roads are those that the business is routed on now; times and distances are those of the plan, which stays as it is. The ETag is the SHA-256 of the answer. 503 where there is no road network.',
  access: inBusiness('planning.read'), query: { record_status: listQuery.record_status, ...viewQuery },
  status: 200, answer: planRoute, produces: 'application/geo+json', precondition: 'If-None-Match', errors: usualErrors,
});

export const planRouteOperations = [getPlanRoute];
