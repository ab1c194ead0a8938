import { defineEntity, p } from '@mikro-orm/postgresql';
import type { Location } from '../contract/schemas.ts';
import { recordProperties, recordTable } from '../records/entity.ts';

const schema = defineEntity({
  ...recordTable,
  name: 'Driver',
  tableName: 'drivers',
  properties: {
    ...recordProperties,
    name: p.string().length(200),
    email: p.string().length(320),
    active: p.boolean().default(true),
    dutyStatus: p.string().length(10).$type<'online' | 'offline'>().default('offline'),
    dutyStartedAt: p.datetime().nullable(),
    dutyVehicleId: p.string().length(120).nullable(),
    /** When the driver last did something, by the driver's own account: what comes later happened later. */
    lastActionAt: p.datetime().nullable(),
    location: p.json<Location>().nullable(),
    locationRecordedAt: p.datetime().nullable(),
    locationPermission: p.string().length(10).$type<'granted' | 'denied'>().nullable(),
    /** SHA-256 of the activation code that has been given out and not used. */
    activationHash: p.string().length(64).nullable().unique(),
    activationExpiresAt: p.datetime().nullable(),
  },
});
export class Driver extends schema.class {}
schema.setClass(Driver);
