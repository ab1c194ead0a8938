import { applyWorkingHours, previewWorkingHours } from '../../core/working-hours/change-hours.ts';
import type { WorkingHoursApplyInput, WorkingHoursPreviewInput } from '../../core/working-hours/schema.ts';
import type { Handlers } from '../call.ts';

export const workingHoursHandlers: Handlers = {
  'working-hours.preview': async ({ service, businessId, body }) => ({ body: await previewWorkingHours(service.store, businessId, body as unknown as WorkingHoursPreviewInput) }),
  'working-hours.apply': async ({ service, businessId, body, query }) => ({ body: await applyWorkingHours(service.store, businessId, body as unknown as WorkingHoursApplyInput, query.validate_only === true) }),
};
