import { listAuditEntries, presentAuditEntry } from '../../core/audit/read-entries.ts';
import { reader } from '../../core/db/store.ts';
import type { Handlers } from '../call.ts';

export const auditHandlers: Handlers = {
  'audit.list': async ({ service, businessId, query }) => {
    const { entries, nextCursor } = await listAuditEntries(reader(service.store, businessId), businessId, query);
    return { body: { items: entries.map(presentAuditEntry), next_cursor: nextCursor } };
  },
};
