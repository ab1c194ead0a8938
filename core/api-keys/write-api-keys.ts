import { forbidden, invalid } from '../contract/errors.ts';
import type { Credential } from '../accounts/credential.ts';
import { newToken, tokenHash } from '../accounts/tokens.ts';
import type { EntityManager } from '../db/store.ts';
import { newId } from '../records/ids.ts';
import { instantOrNull, presentCommon } from '../records/present.ts';
import { lockRecord } from '../records/write-records.ts';
import { parseInstant } from '../time/instants.ts';
import { ApiKey } from './entity.ts';
import type { ApiKeyInput } from './schema.ts';

export const apiKeyKind = { word: 'api key', entity: ApiKey, searched: ['name', 'prefix'] as const };

export const presentApiKey = (key: ApiKey) => ({
  ...presentCommon(key),
  name: key.name,
  scopes: key.scopes,
  prefix: key.prefix,
  last_used_at: instantOrNull(key.lastUsedAt),
  expires_at: instantOrNull(key.expiresAt),
  revoked_at: instantOrNull(key.revokedAt),
});

const prefixLength = 11; // mk_ and eight characters of the secret: 47 bits of 256

/** The key is shown once. A key can not make one that may do more than itself, or longer. */
export async function createApiKey(em: EntityManager, businessId: string, creator: Credential, input: ApiKeyInput): Promise<{ record: ApiKey; key: string }> {
  const lacking = creator.kind === 'key' ? input.scopes.find((scope) => !creator.scopes.includes(scope)) : undefined;
  if (lacking !== undefined) throw forbidden(`the key lacks the scope ${lacking} and can not grant it`);
  const expiresAt = input.expires_at ? new Date(parseInstant(input.expires_at)!) : null;
  if (expiresAt && expiresAt.getTime() <= Date.now()) throw invalid('/expires_at', 'must be in the future');
  if (creator.kind === 'key') await refuseLongerLife(em, creator.keyId, expiresAt);
  const key = newToken('key');
  const record = em.create(ApiKey, { businessId, id: newId(), name: input.name, scopes: [...input.scopes], prefix: key.slice(0, prefixLength), keyHash: tokenHash(key), expiresAt } as never) as ApiKey;
  await em.persist(record).flush();
  return { record, key };
}

async function refuseLongerLife(em: EntityManager, creatorId: string, expiresAt: Date | null): Promise<void> {
  const { expiresAt: creatorEnd } = await em.findOneOrFail(ApiKey, { id: creatorId });
  if (creatorEnd && (expiresAt === null || expiresAt > creatorEnd)) throw forbidden(`the key expires at ${instantOrNull(creatorEnd)} and can not make one that lasts longer`);
}

/** From now on it authenticates nobody; the record stays. Revoking again changes nothing. */
export async function revokeApiKey(em: EntityManager, id: string): Promise<void> {
  const key = await lockRecord<ApiKey>(em, apiKeyKind, id);
  key.revokedAt ??= new Date();
  await em.flush();
}
