import { businessPath, inBusiness, operation, usualErrors } from '../contract/operation.ts';
import { workingHoursApplyInput, workingHoursImpact, workingHoursPreviewInput } from './schema.ts';

const path = `${businessPath}/working-hours`;
const common = { tag: 'working-hours', access: inBusiness('resources.write'), status: 200, answer: workingHoursImpact, errors: usualErrors } as const;
const change = { vehicle_id: 'van-3', working_hours: { weekly: { 0: [{ start: '08:00', end: '16:00' }] }, overrides: { '2026-12-24': [{ start: '08:00', end: '12:00' }] } } };

const previewWorkingHours = operation({
  ...common, id: 'working-hours.preview', method: 'POST', path: `${path}/preview`, summary: 'What a change of working hours would affect',
  description: 'Changes nothing. Its vehicle_revision and preview_epoch are what an application of the change has to name.',
  body: workingHoursPreviewInput, example: { body: change },
});
const applyWorkingHours = operation({
  ...common, id: 'working-hours.apply', method: 'POST', path: `${path}/apply`, summary: 'Change the working hours of a vehicle',
  description: 'Orders that do not fit the new hours are unscheduled in new planning versions; what is in progress or done stays, nothing is planned again, and what drivers see stays until it is published. 409 where the vehicle or the capacity of the business has changed since the preview.',
  query: { validate_only: { type: 'boolean', default: false, description: 'Run every check and change nothing.' } },
  body: workingHoursApplyInput, example: { body: { ...change, accepted: true, vehicle_revision: 1, preview_epoch: 7 } },
});

export const workingHoursOperations = [previewWorkingHours, applyWorkingHours];
