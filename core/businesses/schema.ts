import { nameSchema, patchOf, recordOf, uuidSchema, type FieldsOf } from '../contract/schemas.ts';
import { objectives, travelMetrics } from '../planning/schema.ts';

export const routingEngines = ['engine_a', 'engine_b'] as const;

const seconds = { type: 'integer', minimum: 0, maximum: 31 * 86_400 } as const;

/** Spec 2.11. The three groups merge one level deep. */
export const settingsFields = {
  name: nameSchema,
  time_zone: { type: 'string', minLength: 1, maxLength: 100, description: 'IANA zone name.' },
  planning: {
    type: 'object', additionalProperties: false,
    properties: {
      travel_metric: { type: ['string', 'null'], enum: [...travelMetrics, null] },
      objectives: { type: 'array', maxItems: 2, uniqueItems: true, items: { type: 'string', enum: objectives } },
      location_freshness_seconds: seconds,
      min_rest_seconds: { ...seconds, type: ['integer', 'null'] },
      notify_unplanned: { type: 'boolean' },
    },
  },
  evidence: {
    type: 'object', additionalProperties: false,
    properties: { require_photos: { type: 'boolean' }, require_signature: { type: 'boolean' } },
  },
  routing: {
    type: 'object', additionalProperties: false,
    properties: {
      engine: { type: 'string', enum: routingEngines },
      update_schedule: { type: 'string', maxLength: 200, description: 'Five-field cron expression in the business time zone.' },
    },
  },
} as const;
export type SettingsFields = FieldsOf<typeof settingsFields>;

const epoch = { preview_epoch: { type: 'integer', minimum: 0, readOnly: true, description: 'Grows with every committed change of capacity.' } } as const;
const options = { readOnly: ['preview_epoch'] };

export const business = { ...recordOf('Business', { ...settingsFields, ...epoch }), properties: { ...(recordOf('Business', { ...settingsFields, ...epoch }).properties as object), id: uuidSchema } };
const { id: _id, ...inputProperties } = patchOf('Business', settingsFields, options).properties as Record<string, object>;
export const businessInput = { title: 'BusinessInput', type: 'object', additionalProperties: false, required: ['name', 'time_zone'], properties: inputProperties } as const;
/** The settings record is the business itself. PUT and PATCH merge; the merged record must have a name and a zone. */
export const settingsPatch = { ...patchOf('Settings', settingsFields, options), title: 'SettingsUpdate' };
