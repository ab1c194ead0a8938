import { crudOperations } from '../contract/crud.ts';
import { businessPath, inBusiness, operation, usualErrors } from '../contract/operation.ts';
import { jobAccepted } from '../jobs/schema.ts';
import { region, regionInput, regionPatch } from './schema.ts';

const one = `${businessPath}/regions/{record_id}`;
const common = { tag: 'regions', access: inBusiness('resources.write'), errors: usualErrors } as const;

const installRegion = operation({
  ...common, id: 'regions.install', method: 'POST', path: `${one}/install`, summary: 'Install the roads of a region, or bring them up to date',
  description: 'In the background: download, clip to the polygon, build for the routing engine of the settings, test, switch. Approves the region. Where a job is under way already, it is that job which is answered. 503 where the service has no source of maps.',
  status: 202, answer: jobAccepted,
});
const approveRegion = operation({
  ...common, id: 'regions.approve', method: 'POST', path: `${one}/approve`, summary: 'Let the update schedule apply to a region', status: 200, answer: region,
});
const unapproveRegion = operation({
  ...common, id: 'regions.unapprove', method: 'POST', path: `${one}/unapprove`, summary: 'Keep the update schedule away from a region',
  description: 'What is installed stays and serves.', status: 200, answer: region,
});

export const regionOperations = [
  ...crudOperations({
    plural: 'regions', singular: 'region', read: 'resources.read', write: 'resources.write',
    record: region, input: regionInput, patch: regionPatch,
    example: { name: 'Malta', geometry: { type: 'Polygon', coordinates: [[[14.18, 35.78], [14.6, 35.78], [14.6, 36.1], [14.18, 36.1], [14.18, 35.78]]] } },
  }),
  installRegion, approveRegion, unapproveRegion,
];
