import type { FromSchema } from 'json-schema-to-ts';
import { driver } from '../drivers/schema.ts';
import { order } from '../orders/schema.ts';
import { plan } from '../plans/schema.ts';
import { instantSchema, locationSchema } from '../contract/schemas.ts';

export const activationInput = {
  title: 'DriverSessionInput', type: 'object', additionalProperties: false, required: ['activation_code'],
  properties: { activation_code: { type: 'string', maxLength: 200 } },
} as const;

export const refresh = {
  title: 'DriverRefresh', type: 'object', additionalProperties: false, required: ['driver', 'plans', 'orders', 'server_time'],
  properties: {
    driver,
    plans: { type: 'array', items: plan },
    orders: { type: 'array', items: order },
    server_time: instantSchema,
  },
} as const;

export const driverLocationInput = {
  title: 'DriverLocationInput', type: 'object', additionalProperties: false, required: ['permission'],
  properties: {
    permission: { type: 'string', enum: ['granted', 'denied'] },
    location: { ...locationSchema, type: ['object', 'null'] },
    recorded_at: instantSchema,
  },
} as const;
export type DriverLocationInput = FromSchema<typeof driverLocationInput>;
