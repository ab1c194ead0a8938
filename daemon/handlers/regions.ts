import { unavailable } from '../../core/contract/errors.ts';
import { transaction } from '../../core/db/store.ts';
import { deleteRegion, regionKind } from '../../core/regions/kind.ts';
import { presentRegion } from '../../core/regions/present.ts';
import { approveRegion, requestInstall } from '../../core/regions/region-jobs.ts';
import type { Handler, Handlers } from '../call.ts';
import { intentOf } from '../routes.ts';
import { recordHandlers } from './records.ts';

const approving = (approved: boolean): Handler => async ({ service, businessId, params }) => ({
  body: presentRegion(await transaction(service.store, businessId, (em) => approveRegion(em, params.record_id, approved))),
});

export const regionHandlers: Handlers = {
  ...recordHandlers('regions', regionKind),
  'regions.delete': async (call) => {
    await transaction(call.service.store, call.businessId, (em) => deleteRegion(em, call.businessId, call.params.record_id, intentOf(call)));
    return {};
  },
  'regions.install': async ({ service, businessId, params }) => {
    if (service.config.mapSource === null) throw unavailable('the service has no source of maps: whoever runs it has to set MILKRUN_MAP_SOURCE');
    const job = await transaction(service.store, businessId, (em) => requestInstall(em, params.record_id));
    return { body: { job_id: job.id, status: job.status }, headers: { Location: `/api/v1/businesses/${businessId}/jobs/${job.id}` } };
  },
  'regions.approve': approving(true),
  'regions.unapprove': approving(false),
};
