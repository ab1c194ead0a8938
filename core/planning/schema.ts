import type { FromSchema } from 'json-schema-to-ts';
import { dateSchema, idSchema } from '../contract/schemas.ts';

export const objectives = ['completed_tasks', 'travel'] as const;
export type Objective = (typeof objectives)[number];
export const travelMetrics = ['time', 'distance'] as const;

export const objectivesSchema = { type: 'array', minItems: 1, maxItems: 2, uniqueItems: true, items: { type: 'string', enum: objectives }, description: 'Lexicographic, in this order.' } as const;

/** A run may span this many local dates at most. */
export const planningDatesMax = 60;

export const previewInput = {
  title: 'PlanningPreviewInput', type: 'object', additionalProperties: false, required: ['vehicle_ids', 'date_start', 'date_end'],
  properties: {
    vehicle_ids: { type: 'array', minItems: 1, maxItems: 5_000, uniqueItems: true, items: idSchema },
    date_start: dateSchema,
    date_end: dateSchema,
    dates: { type: 'array', minItems: 1, maxItems: planningDatesMax, uniqueItems: true, items: dateSchema, description: 'Only these dates between date_start and date_end.' },
    schedule_lock: { type: 'boolean', default: false },
    assignment_lock: { type: 'boolean', default: false },
    include_planned: { type: 'boolean', default: false },
    objectives: objectivesSchema,
    seed: { type: 'integer', minimum: 0, maximum: 4_294_967_295, description: 'Chosen by the service where absent, and kept with the job.' },
    max_iterations: { type: 'integer', minimum: 1, maximum: 100_000_000, description: 'Instead of a time limit: the same records, seed and iterations give the same plan.' },
    time_limit_seconds: { type: 'number', minimum: 0.1, maximum: 3_600, description: 'For travel times and search together.' },
  },
} as const;
export type PreviewInput = FromSchema<typeof previewInput>;
