import { transaction } from '../../core/db/store.ts';
import { presentPushDevice, registerDevice, removeDevices } from '../../core/push/devices.ts';
import type { PushDeviceInput } from '../../core/push/schema.ts';
import type { Handlers } from '../call.ts';
import { driverOf } from './driver-app.ts';

export const pushHandlers: Handlers = {
  'push-devices.register': async (call) => ({
    body: presentPushDevice(await transaction(call.service.store, call.businessId, (em) => registerDevice(em, driverOf(call), call.body as unknown as PushDeviceInput))),
  }),
  'push-devices.remove': async (call) => {
    await transaction(call.service.store, call.businessId, (em) => removeDevices(em, driverOf(call), call.query.device_id as string | undefined));
    return {};
  },
};
