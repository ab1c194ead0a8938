import { businessPath, inBusiness, operation, usualErrors } from '../contract/operation.ts';
import { idSchema, instantSchema, listOf, listQuery } from '../contract/schemas.ts';
import { auditEntry } from './schema.ts';

const listAudit = operation({
  id: 'audit.list', method: 'GET', path: `${businessPath}/audit`, tag: 'audit', summary: 'Who did what',
  description: 'One entry for each operation that changed something, written with the change; nobody can alter or remove it. Oldest first.',
  access: inBusiness('accounts.manage'), status: 200, answer: listOf(auditEntry), errors: usualErrors,
  query: {
    actor: { ...idSchema, description: 'Only of this account, key or driver.' },
    operation: { type: 'string', maxLength: 100, description: 'Only this operationId.' },
    record_id: { ...idSchema, description: 'Only what this record was part of.' },
    from: { ...instantSchema, description: 'Only from this instant on.' },
    to: { ...instantSchema, description: 'Only before this instant.' },
    limit: listQuery.limit,
    cursor: listQuery.cursor,
  },
});

export const auditOperations = [listAudit];
