import { operation } from '../contract/operation.ts';
import { session } from '../accounts/schema.ts';
import { driver } from '../drivers/schema.ts';
import { activationInput, driverLocationInput, refresh } from './schema.ts';

const common = { tag: 'driver', access: { kind: 'driver' }, errors: [401, 403, 404, 409, 422, 503] } as const;

const createDriverSession = operation({
  id: 'driver.sessions.create', method: 'POST', path: '/api/v1/driver/sessions', tag: 'driver', summary: 'Sign a driver in with an activation code',
  description: 'A code works once and for 7 days; the session lasts 30 days after its last use.',
  access: { kind: 'public' }, body: activationInput, status: 201, answer: session, errors: [401, 403, 422, 503], example: { body: { activation_code: 'ma_code' } },
});
const deleteDriverSession = operation({ ...common, id: 'driver.sessions.delete', method: 'DELETE', path: '/api/v1/driver/sessions/current', summary: 'Sign the driver out', status: 204 });
const getDriverMe = operation({ ...common, id: 'driver.me', method: 'GET', path: '/api/v1/driver/me', summary: 'The signed-in driver', status: 200, answer: driver });
const refreshDriver = operation({
  ...common, id: 'driver.refresh', method: 'GET', path: '/api/v1/driver/refresh', summary: 'Published work of the driver',
  description: 'Published snapshots and driver-visible custom fields only. Marks the plans as received.', status: 200, answer: refresh,
});
const reportLocation = operation({
  ...common, id: 'driver.location', method: 'POST', path: '/api/v1/driver/location', summary: 'Report where the driver is',
  body: driverLocationInput, status: 200, answer: driver, example: { body: { permission: 'granted', location: { latitude: 52.52, longitude: 13.405 } } },
});

export const driverAppOperations = [createDriverSession, deleteDriverSession, getDriverMe, refreshDriver, reportLocation];
