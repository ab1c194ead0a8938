import { businessPath, inBusiness, operation, usualErrors } from '../contract/operation.ts';
import { listOf, listQuery } from '../contract/schemas.ts';
import { publication, publishInput } from './schema.ts';

const common = { tag: 'plans', errors: usualErrors } as const;
const path = `${businessPath}/publications`;

const publishPlans = operation({
  ...common, id: 'plans.publish', method: 'POST', path: `${businessPath}/plans/publish`, summary: 'Publish reviewed plans and pending statuses',
  description: 'All or nothing: one stale or blocked item rejects the whole publication.',
  access: inBusiness('planning.publish'), query: { validate_only: { type: 'boolean', default: false, description: 'Run every check and change nothing.' } },
  body: publishInput, status: 200, answer: publication,
  example: { body: { plan_ids: ['plan-1'], expected_revision: [{ id: 'plan-1', revision: 1 }], acknowledge_warnings: true } },
});
const listPublications = operation({ ...common, id: 'publications.list', method: 'GET', path, summary: 'List publications', access: inBusiness('planning.read'), query: listQuery, status: 200, answer: listOf(publication) });
const getPublication = operation({ ...common, id: 'publications.get', method: 'GET', path: `${path}/{record_id}`, summary: 'Read a publication', access: inBusiness('planning.read'), status: 200, answer: publication });

export const publicationOperations = [publishPlans, listPublications, getPublication];
