import { createHash } from 'node:crypto';
import { ApiError, invalid } from '../contract/errors.ts';
import type { EntityManager, Store } from '../db/store.ts';
import { IdempotencyKey } from './entity.ts';
import type { Retryable } from './identify.ts';
import { seal, unseal } from './seal.ts';

/** How long an answer can be had again. */
export const answerLifeMs = 24 * 3_600_000;

/** Somebody else has answered the same request since we looked; thrown out of the transaction that would have done it twice. */
export class AnsweredMeanwhile extends Error {
  readonly answer: object;

  constructor(answer: object) {
    super('the request has been answered meanwhile');
    this.answer = answer;
  }
}

/** The answer that was given to this request; null where it is new. Another content under the same key is refused. */
export async function storedAnswer<A extends object>(em: EntityManager, request: Retryable, now = new Date()): Promise<A | null> {
  const stored = await em.findOne(IdempotencyKey, { id: request.id, expiresAt: { $gt: now } });
  if (stored === null) return null;
  if (stored.fingerprint !== request.fingerprint) throw invalid('', 'the Idempotency-Key has been used for a request with another body or query');
  return JSON.parse(unseal(Buffer.from(stored.sealedAnswer), request.sealingKey)) as A;
}

/**
 * Makes this transaction the only one that works on the request. The lock ends with the transaction, also when its process dies, so
 * a key is never stuck as "still running".
 */
export async function claim(em: EntityManager, request: Retryable): Promise<void> {
  const [{ is_mine: isMine }] = await em.execute<{ is_mine: boolean }[]>('select pg_try_advisory_xact_lock(?::bigint) as is_mine', [lockNumber(request)]);
  if (!isMine) throw new ApiError(409, 'conflict', 'a request with this Idempotency-Key is still running; try again shortly', { headers: { 'Retry-After': '1' } });
  // The other one may have ended between our first look and the lock.
  const answer = await storedAnswer(em, request);
  if (answer !== null) throw new AnsweredMeanwhile(answer);
}

/** 64 bits of the hash, as PostgreSQL counts its advisory locks. */
const lockNumber = ({ id }: Retryable): string => createHash('sha256').update(`lock ${id}`).digest().readBigInt64BE().toString();

/** Remembers the answer with the effect. An expired one under the same key makes room. */
export async function keepAnswer(em: EntityManager, request: Retryable, answer: object, nowMs = Date.now()): Promise<void> {
  const sealed = seal(JSON.stringify(answer), request.sealingKey);
  await em.execute(
    `insert into idempotency_keys (id, fingerprint, sealed_answer, created_at, expires_at) values (?, ?, ?, ?, ?)
     on conflict (id) do update set fingerprint = excluded.fingerprint, sealed_answer = excluded.sealed_answer, created_at = excluded.created_at, expires_at = excluded.expires_at
     where idempotency_keys.expires_at <= excluded.created_at`,
    [request.id, request.fingerprint, sealed, new Date(nowMs), new Date(nowMs + answerLifeMs)],
  );
}

const sweptAtOnce = 1_000;

/** Forgets answers whose time is over; how many. Several sweepers do not wait for one another. */
export async function sweepAnswers(store: Store, now = new Date()): Promise<number> {
  const rows = await store.em.fork().execute<unknown[]>(
    `delete from idempotency_keys where id in (select id from idempotency_keys where expires_at <= ? order by expires_at limit ? for update skip locked) returning id`,
    [now, sweptAtOnce],
  );
  return rows.length;
}
