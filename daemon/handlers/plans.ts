import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { invalid } from '../../core/contract/errors.ts';
import { getBusiness } from '../../core/businesses/write-businesses.ts';
import { reader, transaction } from '../../core/db/store.ts';
import { activeNetwork } from '../../core/networks/active-network.ts';
import { drawRoute } from '../../core/plan-routes/draw-route.ts';
import { readDrive } from '../../core/plan-routes/read-drive.ts';
import { requestPlanning } from '../../core/planning/request-planning.ts';
import type { PreviewInput } from '../../core/planning/schema.ts';
import { deletePlan } from '../../core/plans/delete-plan.ts';
import type { Plan } from '../../core/plans/entity.ts';
import { presentPlan } from '../../core/plans/present.ts';
import { listPlans, planKind, type PlanQuery } from '../../core/plans/read-plans.ts';
import { Publication } from '../../core/publications/entity.ts';
import { publishPlans } from '../../core/publications/publish-plans.ts';
import type { PublishInput } from '../../core/publications/schema.ts';
import { presentCommon } from '../../core/records/present.ts';
import { getRecord, listRecords, type RecordStatus } from '../../core/records/read-records.ts';
import { Vehicle } from '../../core/vehicles/entity.ts';
import type { Answer, Handler, Handlers } from '../call.ts';
import { intentOf } from '../routes.ts';

const refused: Handler = async () => {
  throw invalid('', 'plans are made by POST …/planning/preview and published by POST …/plans/publish; they can not be written directly');
};

const publicationKind = { word: 'publication', entity: Publication, searched: [] as const };
const presentPublication = (publication: Publication) => ({
  ...presentCommon(publication),
  plan_ids: publication.planIds,
  order_ids: publication.orderIds,
  acknowledged_warnings: publication.acknowledgedWarnings,
  published_by: publication.publishedBy ?? null,
  status_changes: publication.statusChanges,
});

/** Carries the answer of a dry run out of the transaction that is rolled back. */
class DryRun extends Error {
  readonly publication: Publication;
  constructor(publication: Publication) {
    super('dry run');
    this.publication = publication;
  }
}

function geoJson(texts: string[]): Answer {
  const pieces = texts.map((text) => Buffer.from(text));
  const hash = createHash('sha256');
  for (const piece of pieces) hash.update(piece);
  return {
    content: { bytes: Readable.from(pieces), sizeBytes: pieces.reduce((bytes, piece) => bytes + piece.length, 0) },
    headers: { 'Content-Type': 'application/geo+json', ETag: `"${hash.digest('hex')}"`, 'Cache-Control': 'private, no-cache' },
  };
}

export const planHandlers: Handlers = {
  'planning.preview': async ({ service, businessId, body, requestId }) => {
    const job = await transaction(service.store, businessId, async (em) => requestPlanning(em, await getBusiness(em, businessId), body as unknown as PreviewInput, requestId));
    return { body: { job_id: job.id, status: job.status }, headers: { Location: `/api/v1/businesses/${businessId}/jobs/${job.id}` } };
  },
  'plans.list': async ({ service, businessId, query }) => {
    const { records, nextCursor } = await listPlans(reader(service.store, businessId), businessId, query as PlanQuery);
    return { body: { items: records.map((plan) => presentPlan(plan, query.view as 'planning')), next_cursor: nextCursor } };
  },
  'plans.create': refused,
  'plans.update': refused,
  'plans.replace': refused,
  'plans.get': async ({ service, businessId, params, query }) => ({
    body: presentPlan(await getRecord<Plan>(reader(service.store, businessId), planKind, params.record_id, query.record_status as RecordStatus), query.view as 'planning'),
  }),
  'plans.route': async ({ service, businessId, params, query }) => {
    const em = reader(service.store, businessId);
    const plan = await getRecord<Plan>(em, planKind, params.record_id, query.record_status as RecordStatus);
    const drive = await readDrive(em, plan, query.view as 'planning');
    const network = await activeNetwork(em, await getBusiness(em, businessId));
    return geoJson(await drawRoute(plan, drive, { network, vehicle: await em.findOneOrFail(Vehicle, { id: plan.vehicleId }) }));
  },
  'plans.delete': async (call) => {
    await transaction(call.service.store, call.businessId, (em) => deletePlan(em, call.params.record_id, intentOf(call)));
    return {};
  },
  'plans.publish': async (call) => {
    const { service, businessId, body, query } = call;
    try {
      const publication = await transaction(service.store, businessId, async (em) => {
        const made = await publishPlans(em, businessId, body as PublishInput, intentOf(call).actorId);
        if (query.validate_only) throw new DryRun(made);
        return made;
      });
      return { body: presentPublication(publication) };
    } catch (error) {
      if (error instanceof DryRun) return { body: presentPublication(error.publication) };
      throw error;
    }
  },
  'publications.list': async ({ service, businessId, query }) => {
    const { records, nextCursor } = await listRecords<Publication>(reader(service.store, businessId), publicationKind, businessId, query);
    return { body: { items: records.map(presentPublication), next_cursor: nextCursor } };
  },
  'publications.get': async ({ service, businessId, params }) => ({ body: presentPublication(await getRecord<Publication>(reader(service.store, businessId), publicationKind, params.record_id)) }),
};
