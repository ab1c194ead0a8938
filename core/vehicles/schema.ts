import { idSchema, inputOf, nameSchema, nullable, patchOf, recordOf, type FieldsOf } from '../contract/schemas.ts';

const interval = {
  type: 'object', additionalProperties: false, required: ['start', 'end'],
  properties: {
    start: { type: 'string', description: 'HH:MM in the business time zone.' },
    end: { type: 'string', description: 'HH:MM; not after start means the following night. 24:00 is the end of the day.' },
  },
} as const;

/** Spec 2.9. What the clock strings and keys may be is checked by the rules of `core/time`, which name every fault. */
export const workingHoursSchema = {
  type: 'object', additionalProperties: false, required: ['weekly', 'overrides'],
  properties: {
    weekly: { type: 'object', additionalProperties: { type: 'array', items: interval }, description: 'Keys are weekdays, 0 = Monday to 6 = Sunday.' },
    overrides: { type: 'object', additionalProperties: { type: 'array', items: interval }, description: 'Keys are dates. Replaces the whole date, carry-over of the night before included; an empty list is a day off.' },
    gap_policy: { type: 'string', enum: ['return_to_warehouse', 'wait'], description: 'Where the vehicle is between two intervals of a shift; return_to_warehouse where absent.' },
  },
} as const;

export const vehicleFields = {
  name: nameSchema,
  warehouse_id: idSchema,
  driver_id: nullable(idSchema),
  color: { type: 'string', maxLength: 40 },
  height_meters: { type: ['number', 'null'], exclusiveMinimum: 0, maximum: 100, description: 'It is not led under anything that is lower, as far as the map knows. Without it nothing is too low.' },
  weight_kg: { type: ['number', 'null'], exclusiveMinimum: 0, maximum: 1_000_000, description: 'Above 3500 the vehicle is a truck: it has the speeds and the roads of one, and is not led over what is too weak for it. Without it, it is a car.' },
  working_hours: workingHoursSchema,
} as const;
export type VehicleFields = FieldsOf<typeof vehicleFields>;

export const vehicle = recordOf('Vehicle', vehicleFields);
export const vehicleInput = inputOf('Vehicle', vehicleFields, { required: ['name', 'warehouse_id'] });
export const vehiclePatch = patchOf('Vehicle', vehicleFields);
