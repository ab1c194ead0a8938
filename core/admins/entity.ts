import { defineEntity, p } from '@mikro-orm/postgresql';
import { recordProperties, recordTable } from '../records/entity.ts';

/** An administrator's membership in a business, from the invitation on. */
const schema = defineEntity({
  ...recordTable,
  name: 'Membership',
  tableName: 'memberships',
  properties: {
    ...recordProperties,
    email: p.string().length(320),
    accountId: p.uuid().nullable().index(),
    state: p.string().length(10).$type<'invited' | 'active' | 'removed'>(),
    invitationHash: p.string().length(64).nullable().unique(),
    invitationExpiresAt: p.datetime().nullable(),
  },
});
export class Membership extends schema.class {}
schema.setClass(Membership);
