import { defineEntity, p } from '@mikro-orm/postgresql';
import { newId } from '../records/ids.ts';
import type { Objective } from '../planning/schema.ts';

export interface PlanningSettings {
  travel_metric: 'time' | 'distance' | null;
  objectives: Objective[];
  location_freshness_seconds: number;
  min_rest_seconds: number | null;
  notify_unplanned: boolean;
}
export interface EvidenceSettings {
  require_photos: boolean;
  require_signature: boolean;
}
export interface RoutingSettings {
  engine: 'engine_a' | 'engine_b';
  update_schedule: string;
}

const schema = defineEntity({
  name: 'Business',
  tableName: 'businesses',
  properties: {
    id: p.uuid().primary().onCreate(newId),
    createdAt: p.datetime().onCreate(() => new Date()),
    updatedAt: p.datetime().onCreate(() => new Date()).onUpdate(() => new Date()),
    revision: p.integer().version(),
    deletedAt: p.datetime().nullable(),
    deletedBy: p.uuid().nullable(),
    name: p.string().length(200),
    timeZone: p.string().length(100),
    planning: p.json<PlanningSettings>(),
    evidence: p.json<EvidenceSettings>(),
    routing: p.json<RoutingSettings>(),
    activeScenarioId: p.string().length(120).nullable(),
    /** Grows with every committed change of capacity; written by `takeCapacity` only. */
    previewEpoch: p.integer().default(0),
  },
});
export class Business extends schema.class {}
schema.setClass(Business);
