import type { FromSchema } from 'json-schema-to-ts';
import { idSchema } from '../contract/schemas.ts';
import { order } from '../orders/schema.ts';
import { workingHoursSchema } from '../vehicles/schema.ts';

const change = { vehicle_id: idSchema, working_hours: workingHoursSchema } as const;

export const workingHoursPreviewInput = {
  title: 'WorkingHoursPreviewInput', type: 'object', additionalProperties: false, required: ['vehicle_id', 'working_hours'],
  properties: change,
} as const;
export type WorkingHoursPreviewInput = FromSchema<typeof workingHoursPreviewInput>;

/** Spec 4.6. */
export const workingHoursApplyInput = {
  title: 'WorkingHoursApplyInput', type: 'object', additionalProperties: false, required: ['vehicle_id', 'working_hours', 'accepted', 'vehicle_revision', 'preview_epoch'],
  properties: {
    ...change,
    accepted: { type: 'boolean', description: 'Has to be true: the impact that the preview showed is accepted, the unscheduling of the affected orders included.' },
    vehicle_revision: { type: 'integer', description: 'From the preview; must be the current one.' },
    preview_epoch: { type: 'integer', description: 'From the preview; must be the current one.' },
  },
} as const;
export type WorkingHoursApplyInput = FromSchema<typeof workingHoursApplyInput>;

export const workingHoursImpact = {
  title: 'WorkingHoursImpact', type: 'object', additionalProperties: false, required: ['affected_orders', 'affected_order_ids', 'warnings', 'vehicle_revision', 'preview_epoch'],
  properties: {
    affected_orders: { type: 'array', items: order, description: 'Planned orders that do not fit the new hours: they are unscheduled.' },
    affected_order_ids: { type: 'array', items: idSchema },
    warnings: { type: 'array', items: { type: 'string' } },
    vehicle_revision: { type: 'integer' },
    preview_epoch: { type: 'integer', description: 'Grows by one with every committed change of capacity.' },
  },
} as const;
