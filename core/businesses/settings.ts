import { throwIfAny, type Problem } from '../contract/errors.ts';
import { parseCron } from '../time/cron.ts';
import { isTimeZone } from '../time/zones.ts';
import { instantOrNull, instant } from '../records/present.ts';
import type { Body } from '../records/kind.ts';
import type { Business, EvidenceSettings, PlanningSettings, RoutingSettings } from './entity.ts';

const planningDefaults: PlanningSettings = { travel_metric: 'time', objectives: ['completed_tasks', 'travel'], location_freshness_seconds: 300, min_rest_seconds: null, notify_unplanned: false };
const evidenceDefaults: EvidenceSettings = { require_photos: false, require_signature: false };
const routingDefaults: RoutingSettings = { engine: 'engine_b', update_schedule: '0 3 * * 0' };

/** The columns of a business with the fields of a body merged in, groups one level deep. `present` is null at creation. */
export function mergedSettings(body: Body, present: Business | null) {
  return {
    name: (body.name as string | undefined) ?? present?.name ?? '',
    timeZone: (body.time_zone as string | undefined)?.trim() ?? present?.timeZone ?? '',
    planning: { ...planningDefaults, ...present?.planning, ...(body.planning as object | undefined) },
    evidence: { ...evidenceDefaults, ...present?.evidence, ...(body.evidence as object | undefined) },
    routing: withPlainSchedule({ ...routingDefaults, ...present?.routing, ...(body.routing as object | undefined) }),
  };
}

/** One space between two fields, and none around them. */
const withPlainSchedule = (routing: RoutingSettings): RoutingSettings => ({ ...routing, update_schedule: routing.update_schedule.trim().replaceAll(/\s+/g, ' ') });

export function checkSettings({ timeZone, routing }: ReturnType<typeof mergedSettings>): void {
  const problems: Problem[] = [];
  if (!isTimeZone(timeZone)) problems.push({ path: '/time_zone', message: 'is not an IANA time zone name such as Europe/Berlin' });
  const cron = parseCron(routing.update_schedule);
  if ('problem' in cron) problems.push({ path: '/routing/update_schedule', message: cron.problem });
  throwIfAny(problems);
}

export const presentBusiness = (business: Business) => ({
  id: business.id,
  created_at: instant(business.createdAt),
  updated_at: instant(business.updatedAt),
  revision: business.revision,
  deleted_at: instantOrNull(business.deletedAt),
  deleted_by: business.deletedBy ?? null,
  name: business.name,
  time_zone: business.timeZone,
  planning: business.planning,
  evidence: business.evidence,
  routing: business.routing,
  preview_epoch: business.previewEpoch,
});
