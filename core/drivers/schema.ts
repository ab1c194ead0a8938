import { emailSchema, idSchema, inputOf, instantSchema, locationSchema, nameSchema, nullable, patchOf, recordOf, type FieldsOf } from '../contract/schemas.ts';

const location = { ...locationSchema, type: ['object', 'null'] } as const;

export const driverFields = {
  name: nameSchema,
  email: emailSchema,
  active: { type: 'boolean', description: 'A driver who is not active has no access.' },
  duty_status: { type: 'string', enum: ['online', 'offline'], readOnly: true },
  location: { ...location, readOnly: true },
  duty_started_at: { ...nullable(instantSchema), readOnly: true },
  duty_vehicle_id: { ...nullable(idSchema), readOnly: true, description: 'The vehicle that the driver says to be on.' },
} as const;
export type DriverFields = FieldsOf<typeof driverFields>;

const activationCode = { activation_code: { type: 'string', readOnly: true, description: 'Shown once. Signs the driver in once, within 7 days.' } } as const;

/** What only the driver's own actions change. */
const options = { readOnly: ['duty_status', 'location', 'duty_started_at', 'duty_vehicle_id', 'activation_code'] };

export const driver = recordOf('Driver', driverFields);
export const driverWithCode = recordOf('DriverWithActivationCode', { ...driverFields, ...activationCode });
export const driverInput = inputOf('Driver', driverFields, { ...options, required: ['name', 'email'] });
export const driverPatch = patchOf('Driver', driverFields, options);
