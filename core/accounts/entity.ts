import { defineEntity, p } from '@mikro-orm/postgresql';
import { newId } from '../records/ids.ts';

const accountSchema = defineEntity({
  name: 'Account',
  tableName: 'accounts',
  properties: {
    id: p.uuid().primary().onCreate(newId),
    email: p.string().length(320).unique(),
    name: p.string().length(200).nullable(),
    passwordHash: p.text(),
    createdAt: p.datetime().onCreate(() => new Date()),
  },
});
export class Account extends accountSchema.class {}
accountSchema.setClass(Account);

/** A signed-in administrator (`accountId`) or driver (`businessId` and `driverId`). Only the hash of the token is kept. */
const sessionSchema = defineEntity({
  name: 'Session',
  tableName: 'sessions',
  properties: {
    id: p.uuid().primary().onCreate(newId),
    kind: p.string().length(10).$type<'account' | 'driver'>(),
    tokenHash: p.string().length(64).unique(),
    accountId: p.uuid().nullable().index(),
    businessId: p.uuid().nullable(),
    driverId: p.string().length(120).nullable(),
    createdAt: p.datetime().onCreate(() => new Date()),
    expiresAt: p.datetime(),
    lastSeenAt: p.datetime().onCreate(() => new Date()),
    revokedAt: p.datetime().nullable(),
  },
  indexes: [{ properties: ['businessId', 'driverId'] }],
});
export class Session extends sessionSchema.class {}
sessionSchema.setClass(Session);
