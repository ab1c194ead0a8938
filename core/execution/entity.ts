import { defineEntity, p } from '@mikro-orm/postgresql';
import { recordProperties, recordTable } from '../records/entity.ts';
import type { ActionKind } from './schema.ts';

/** Something that a driver has done. Only added to: this is the history of execution. */
const schema = defineEntity({
  ...recordTable,
  name: 'DriverAction',
  tableName: 'driver_actions',
  properties: {
    ...recordProperties,
    driverId: p.string().length(120),
    orderId: p.string().length(120).nullable(),
    kind: p.string().length(30).$type<ActionKind>(),
    at: p.datetime(),
    reason: p.text().nullable(),
    /** Once for each driver. */
    actionId: p.string().length(120).nullable(),
    /** Of what was sent under the action id. */
    fingerprint: p.string().length(64).nullable(),
    /** What was answered to it, to the letter: jsonb would put the fields in another order. */
    answer: p.json<object>().columnType('json').nullable(),
  },
});
export class DriverAction extends schema.class {}
schema.setClass(DriverAction);
