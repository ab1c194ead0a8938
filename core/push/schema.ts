import type { FromSchema } from 'json-schema-to-ts';
import { recordOf } from '../contract/schemas.ts';

/** The iOS platform service, and the cross-platform one. */
export const pushProviders = ['provider_a', 'provider_b'] as const;
export type PushProvider = (typeof pushProviders)[number];

const provider = { type: 'string', enum: pushProviders, description: '`provider_a`: the iOS platform service; `provider_b`: the cross-platform one.' } as const;

export const pushDeviceInput = {
  title: 'PushDeviceInput', type: 'object', additionalProperties: false, required: ['provider', 'device_token'],
  properties: { provider, device_token: { type: 'string', minLength: 1, maxLength: 4_096, description: 'As the service gave it to the app; of `provider_a` hexadecimal of even length.' } },
} as const;
export type PushDeviceInput = FromSchema<typeof pushDeviceInput>;

export const pushDeviceFields = { provider } as const;
export const pushDevice = recordOf('PushDevice', pushDeviceFields);
