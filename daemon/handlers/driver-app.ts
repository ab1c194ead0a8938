import type { Credential } from '../../core/accounts/credential.ts';
import { signOut } from '../../core/accounts/sign-up.ts';
import { reader, transaction, type EntityManager } from '../../core/db/store.ts';
import { refreshDriver } from '../../core/driver-app/refresh.ts';
import { reportLocation } from '../../core/driver-app/report-location.ts';
import type { DriverLocationInput } from '../../core/driver-app/schema.ts';
import { signInDriver } from '../../core/driver-app/sign-in-driver.ts';
import { Driver } from '../../core/drivers/entity.ts';
import { presentDriver } from '../../core/drivers/kind.ts';
import type { Call, Handlers } from '../call.ts';

export const driverOf = (call: Call): Extract<Credential, { kind: 'driver' }> => call.credential as Extract<Credential, { kind: 'driver' }>;

const readDriver = (em: EntityManager, call: Call): Promise<Driver> => em.findOneOrFail(Driver, { id: driverOf(call).driverId });

export const driverAppHandlers: Handlers = {
  'driver.sessions.create': async ({ service, body }) => ({ body: await transaction(service.store, null, (em) => signInDriver(em, String(body.activation_code))), headers: { Location: '/api/v1/driver/sessions/current' } }),
  'driver.sessions.delete': async (call) => {
    await transaction(call.service.store, null, (em) => signOut(em, driverOf(call).sessionId));
    return {};
  },
  'driver.me': async (call) => ({ body: presentDriver(await readDriver(reader(call.service.store, call.businessId), call)) }),
  'driver.refresh': async (call) => ({ body: await transaction(call.service.store, call.businessId, async (em) => refreshDriver(em, await readDriver(em, call))) }),
  'driver.location': async (call) => ({
    body: presentDriver(await transaction(call.service.store, call.businessId, async (em) => reportLocation(em, await readDriver(em, call), call.body as unknown as DriverLocationInput))),
  }),
};
