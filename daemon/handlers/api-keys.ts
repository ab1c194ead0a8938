import { createApiKey, apiKeyKind, presentApiKey, revokeApiKey } from '../../core/api-keys/write-api-keys.ts';
import type { ApiKey } from '../../core/api-keys/entity.ts';
import type { ApiKeyInput } from '../../core/api-keys/schema.ts';
import { notFound } from '../../core/contract/errors.ts';
import { reader, transaction } from '../../core/db/store.ts';
import { isUuid } from '../../core/records/ids.ts';
import { getRecord, listRecords } from '../../core/records/read-records.ts';
import type { Call, Handlers } from '../call.ts';
import { created } from './records.ts';

function keyId({ params }: Call): string {
  if (!isUuid(params.key)) throw notFound('api key', params.key);
  return params.key.toLowerCase();
}

export const apiKeyHandlers: Handlers = {
  'api-keys.list': async ({ service, businessId, query }) => {
    const { records, nextCursor } = await listRecords<ApiKey>(reader(service.store, businessId), apiKeyKind, businessId, query);
    return { body: { items: records.map(presentApiKey), next_cursor: nextCursor } };
  },
  'api-keys.create': async (call) => {
    const { record, key } = await transaction(call.service.store, call.businessId, (em) => createApiKey(em, call.businessId, call.credential!, call.body as unknown as ApiKeyInput));
    return created(call, 'api-keys', { ...presentApiKey(record), key }, record.id);
  },
  'api-keys.get': async (call) => ({ body: presentApiKey(await getRecord<ApiKey>(reader(call.service.store, call.businessId), apiKeyKind, keyId(call))) }),
  'api-keys.revoke': async (call) => {
    await transaction(call.service.store, call.businessId, (em) => revokeApiKey(em, keyId(call)));
    return {};
  },
};
