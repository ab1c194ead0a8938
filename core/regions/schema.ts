import { inputOf, nameSchema, nullable, patchOf, recordOf, type FieldsOf } from '../contract/schemas.ts';

export const regionStatuses = ['not_installed', 'queued', 'running', 'building', 'installing', 'ready', 'failed'] as const;
export type RegionStatus = (typeof regionStatuses)[number];

/** The nesting of `coordinates` depends on `type`; core/regions/polygon.ts judges it, and everything else that makes an area. */
const geometry = {
  type: 'object', additionalProperties: false, required: ['type', 'coordinates'],
  description: 'A GeoJSON Polygon or MultiPolygon in longitude/latitude order: closed rings that do not cross, on one side of the antimeridian',
  properties: {
    type: { type: 'string', enum: ['Polygon', 'MultiPolygon'] },
    coordinates: { type: 'array', minItems: 1, items: { type: 'array', minItems: 1, items: {} } },
  },
} as const;

export const regionFields = { name: nameSchema, geometry } as const;
export type RegionFields = FieldsOf<typeof regionFields>;

const managed = {
  status: { type: 'string', enum: regionStatuses, readOnly: true, description: 'queued, running (download), building, installing, then ready or failed. Where `dataset_version` is not null, that dataset serves meanwhile and afterwards.' },
  job_id: { ...nullable({ type: 'string' } as const), readOnly: true, description: 'The latest job that installs or updates it.' },
  dataset_version: { ...nullable({ type: 'string' } as const), readOnly: true, description: 'The dataset that is routed on. An update that fails leaves it as it is.' },
  error: { ...nullable({ type: 'string' } as const), readOnly: true, description: 'Why the latest installation or update failed, and what to do about it.' },
  approved: { type: 'boolean', readOnly: true, description: 'Whether the update schedule of the settings applies to it. Installing approves.' },
  next_map_update_at: { ...nullable({ type: 'string', format: 'date-time' } as const), readOnly: true, description: 'When the update schedule of the settings is due next, for an approved region.' },
} as const;
const options = { readOnly: Object.keys(managed) };

export const region = recordOf('Region', { ...regionFields, ...managed });
export const regionInput = inputOf('Region', regionFields, { ...options, required: ['name', 'geometry'] });
export const regionPatch = patchOf('Region', regionFields, options);
