import type { FromSchema } from 'json-schema-to-ts';
import { idSchema, instantSchema, nullable, recordOf } from '../contract/schemas.ts';

/** What every action of a driver may carry, so that an app that was offline can send it again without harm. */
const sentAgain = {
  action_id: { ...idSchema, description: "The app's own id of this action. Sent again, it has no second effect and gets the same answer." },
  captured_at: { ...instantSchema, description: 'When it happened, where that was before it could be sent.' },
} as const;

export const actionInput = { title: 'DriverActionInput', type: 'object', additionalProperties: false, properties: sentAgain } as const;
export type ActionInput = FromSchema<typeof actionInput>;

export const dutyInput = {
  title: 'DutyInput', type: 'object', additionalProperties: false, required: ['online'],
  properties: {
    online: { type: 'boolean', description: 'true begins duty, false ends it.' },
    vehicle_id: { ...nullable(idSchema), description: 'The vehicle that the driver is on.' },
    ...sentAgain,
  },
} as const;
export type DutyInput = FromSchema<typeof dutyInput>;

export const unableInput = {
  title: 'UnableToCompleteInput', type: 'object', additionalProperties: false, required: ['reason'],
  properties: { reason: { type: 'string', trim: true, minLength: 1, maxLength: 2_000 }, ...sentAgain },
} as const;
export type UnableInput = ActionInput & { reason: string };

export const driverOrderPatch = {
  title: 'DriverOrderUpdate', type: 'object', additionalProperties: false, required: ['custom_fields'],
  properties: {
    custom_fields: { type: 'object', additionalProperties: true, description: 'Values of driver-editable fields by id; null clears one.' },
    ...sentAgain,
  },
} as const;
export type DriverOrderPatch = ActionInput & { custom_fields: Record<string, unknown> };

export const actionKinds = ['duty_started', 'duty_ended', 'order_started', 'order_completed', 'order_unable_to_complete', 'order_edited'] as const;
export type ActionKind = (typeof actionKinds)[number];

export const driverActionFields = {
  driver_id: idSchema,
  order_id: nullable(idSchema),
  kind: { type: 'string', enum: actionKinds },
  at: { ...instantSchema, description: 'When it happened; created_at says when it was received.' },
  reason: { type: ['string', 'null'], description: 'Why the order could not be completed.' },
  action_id: { ...nullable(idSchema), description: "The app's own id of the action." },
} as const;
export const driverAction = recordOf('DriverAction', driverActionFields);
