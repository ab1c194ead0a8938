import { operation } from '../contract/operation.ts';
import { idSchema } from '../contract/schemas.ts';
import { pushDevice, pushDeviceInput } from './schema.ts';

const common = { tag: 'driver', access: { kind: 'driver' }, path: '/api/v1/driver/push-devices', errors: [401, 403, 404, 422, 503] } as const;

const registerDevice = operation({
  ...common, id: 'push-devices.register', method: 'POST', summary: 'Register a device for push messages',
  description: 'Registering it again changes nothing; a token that another driver had is this driver\'s from now on. Registration is no proof of delivery: what counts is `driver/refresh`.',
  body: pushDeviceInput, status: 200, answer: pushDevice, example: { body: { provider: 'provider_a', device_token: '00fc13adff785122b4ad28809a3420982341241421348097878e577c991de8f0' } },
});
const removeDevices = operation({
  ...common, id: 'push-devices.remove', method: 'DELETE', summary: 'Remove a device from push messages',
  query: { device_id: { ...idSchema, description: 'The id that registration answered. Absent: all devices of the driver.' } }, status: 204,
});

export const pushOperations = [registerDevice, removeDevices];
