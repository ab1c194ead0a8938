import { randomBytes } from 'node:crypto';
import { conflict, invalid } from '../contract/errors.ts';
import type { EntityManager } from '../db/store.ts';
import { newId } from '../records/ids.ts';

/**
 * Signing secrets of webhooks. They are stored as they are, because signing needs them and a key to encrypt them with would lie
 * beside the database; they have a table of their own, which only this file reads, and statements write them, so that neither an answer, a
 * log line nor the record of changes ever holds one.
 */

const prefix = 'whsec_';
const bytesMade = 32;
/** The range of the Standard Webhooks specification. */
const bytesMin = 24;
const bytesMax = 64;
const overlapHours = 24;
/** Each signs every delivery, so that there must be an end to them. */
const liveMax = 5;

export const newSecret = (): string => prefix + randomBytes(bytesMade).toString('base64');

/** The key of a secret; null where it is not well-formed. */
export function keyOf(secret: string): Buffer | null {
  if (!secret.startsWith(prefix)) return null;
  const text = secret.slice(prefix.length);
  const key = Buffer.from(text, 'base64');
  return key.toString('base64') === text && key.length >= bytesMin && key.length <= bytesMax ? key : null;
}

/** What a client gave, judged, or a new one. */
export function secretFrom(given: string | undefined): string {
  if (given === undefined) return newSecret();
  if (keyOf(given) === null) throw invalid('/secret', `must be ${prefix} and the base64 of ${bytesMin} to ${bytesMax} bytes`);
  return given;
}

interface Owner {
  businessId: string;
  id: string;
}

export async function storeSecret(em: EntityManager, webhook: Owner, secret: string): Promise<void> {
  await em.execute('insert into webhook_secrets (business_id, id, webhook_id, secret, created_at) values (?, ?, ?, ?, now())', [webhook.businessId, newId(), webhook.id, secret]);
}

/** From now on the new secret signs, and for a day the ones before it as well. The webhook must be locked. */
export async function replaceSecret(em: EntityManager, webhook: Owner, secret: string): Promise<void> {
  const owner = [webhook.businessId, webhook.id];
  await em.execute('delete from webhook_secrets where business_id = ? and webhook_id = ? and expires_at <= now()', owner);
  const live = await em.execute<{ secret: string }[]>('select secret from webhook_secrets where business_id = ? and webhook_id = ?', owner);
  if (live.some((row) => row.secret === secret)) throw conflict('the secret is in use already', [{ path: '/secret', message: 'is in use already' }]);
  if (live.length >= liveMax) throw conflict(`the secret has been replaced ${live.length - 1} times within ${overlapHours} hours; the old ones still sign`);
  await em.execute('update webhook_secrets set expires_at = now() + make_interval(hours => ?) where business_id = ? and webhook_id = ? and expires_at is null', [overlapHours, ...owner]);
  await storeSecret(em, webhook, secret);
}

/** The secrets that sign now, the newest first. */
export async function liveSecrets(em: EntityManager, { businessId, id }: Owner): Promise<string[]> {
  const rows = await em.execute<{ secret: string }[]>(
    'select secret from webhook_secrets where business_id = ? and webhook_id = ? and (expires_at is null or expires_at > now()) order by created_at desc, id desc', [businessId, id]);
  return rows.map((row) => row.secret);
}
