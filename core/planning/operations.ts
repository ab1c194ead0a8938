import { businessPath, inBusiness, operation, usualErrors } from '../contract/operation.ts';
import { jobAccepted } from '../jobs/schema.ts';
import { previewInput } from './schema.ts';

const previewPlanning = operation({
  id: 'planning.preview', method: 'POST', path: `${businessPath}/planning/preview`, tag: 'plans', summary: 'Start a planning job',
  description: 'Makes new planning versions; drivers see nothing before they are published.',
  access: inBusiness('planning.run'), body: previewInput, status: 202, answer: jobAccepted, errors: usualErrors,
  example: { body: { vehicle_ids: ['van-3'], date_start: '2026-03-02', date_end: '2026-03-02', max_iterations: 2000, seed: 7 } },
});

export const planningOperations = [previewPlanning];
