import { defineEntity, p } from '@mikro-orm/postgresql';
import type { RoutingSettings } from '../businesses/entity.ts';
import { ofOneBusiness, recordProperties, recordTable } from '../records/entity.ts';
import type { RegionStatus } from './schema.ts';
import type { RegionGeometry } from './polygon.ts';

const schema = defineEntity({
  ...recordTable,
  name: 'Region',
  tableName: 'regions',
  properties: {
    ...recordProperties,
    name: p.string().length(200),
    geometry: p.json<RegionGeometry>(),
    status: p.string().length(20).$type<RegionStatus>().default('not_installed'),
    jobId: p.string().length(120).nullable(),
    datasetVersion: p.string().length(60).nullable(),
    error: p.text().nullable(),
    approved: p.boolean().default(false),
    /** When the schedule of the business is due next; null where that is never. Read only. */
    nextMapUpdateAt: p.datetime().nullable().formula((columns) => `(select nullif(next_map_update_at, 'infinity') from businesses where businesses.id = ${columns.businessId})`),
  },
});
export class Region extends schema.class {}
schema.setClass(Region);

export type Engine = RoutingSettings['engine'];

/** Where the bytes of a dataset came from. */
export interface DatasetSource {
  /** As it may be shown: without credentials and query. */
  address: string;
  sha256: string;
  sizeBytes: number;
  etag: string | null;
  lastModified: string | null;
  /** The day of the map itself, where the file says so. */
  mapDate: string | null;
}

/** What a dataset holds. */
export interface DatasetFacts {
  nodes: number;
  edges: number;
  bytes: number;
  /** Of what the engine reads: `EngineBuilder.format`. */
  format: string;
}

/**
 * building: its directory may be there in part; ready: installed; retired: another one has taken its place, and it goes when its last
 * user has; dropping: nobody may open it any more.
 */
export type DatasetState = 'building' | 'ready' | 'retired' | 'dropping';

/** A directory with the roads of a region for one engine. The row is there before the directory and goes after it. */
const datasetSchema = defineEntity({
  name: 'RegionDataset',
  tableName: 'region_datasets',
  properties: {
    businessId: p.uuid().primary(),
    version: p.string().length(60).primary(),
    regionId: p.string().length(120),
    engine: p.string().length(20).$type<Engine>(),
    state: p.string().length(20).$type<DatasetState>(),
    /** The run that builds it. */
    jobId: p.string().length(120),
    attempt: p.integer(),
    /** Of the polygon that it was clipped to. */
    geometryHash: p.string().length(64),
    source: p.json<DatasetSource>(),
    facts: p.json<DatasetFacts>().nullable(),
    createdAt: p.datetime().onCreate(() => new Date()),
    retiredAt: p.datetime().nullable(),
  },
  filters: ofOneBusiness,
});
export class RegionDataset extends datasetSchema.class {}
datasetSchema.setClass(RegionDataset);
