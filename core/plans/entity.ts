import { defineEntity, p } from '@mikro-orm/postgresql';
import type { Location } from '../contract/schemas.ts';
import { recordProperties, recordTable } from '../records/entity.ts';
import type { PlanState, PublishedSnapshot, ReturnLeg, Stop } from './schema.ts';

/** Where a plan begins that was made while the shift was under way. */
export interface PlanOrigin {
  /** Where the first leg starts. */
  location: Location;
  /** So many stops had happened when it was made. */
  behind: number;
  /** Where and when the vehicle goes on after them. */
  resume: { location: Location; atMs: number } | null;
}

/** One version of one vehicle's work for one shift. */
const schema = defineEntity({
  ...recordTable,
  name: 'Plan',
  tableName: 'plans',
  properties: {
    ...recordProperties,
    vehicleId: p.string().length(120),
    driverId: p.string().length(120).nullable(),
    /** The local date on which the shift begins. */
    shiftDate: p.string().length(10),
    state: p.string().length(20).$type<PlanState>(),
    startAt: p.datetime().nullable(),
    endAt: p.datetime().nullable(),
    stops: p.json<Stop[]>(),
    returnLeg: p.json<ReturnLeg>().nullable(),
    warnings: p.json<string[]>(),
    unplannedOrderIds: p.json<string[]>(),
    /** What drivers see for this vehicle and shift; carried over from version to version until the next publication. */
    published: p.json<PublishedSnapshot>().nullable(),
    receivedAt: p.datetime().nullable(),
    jobId: p.string().length(120).nullable(),
    /** Null: from the warehouse, at the beginning. */
    origin: p.json<PlanOrigin>().nullable(),
  },
});
export class Plan extends schema.class {}
schema.setClass(Plan);
