import type { Context } from 'koa';
import { isAudited } from '../core/audit/audited.ts';
import { writeAuditEntry, type Deed } from '../core/audit/write-entry.ts';
import { credentialKey } from '../core/accounts/credential.ts';
import type { Operation } from '../core/contract/operation.ts';
import { inOneTransaction } from '../core/db/one-transaction.ts';
import { reader } from '../core/db/store.ts';
import { AnsweredMeanwhile, claim, keepAnswer, storedAnswer } from '../core/idempotency/answers.ts';
import { identify, type Retryable } from '../core/idempotency/identify.ts';
import { bearerToken } from './bearer-token.ts';
import type { Answer, Call, Handler } from './call.ts';

interface Request {
  operation: Operation;
  context: Context;
  /** Of the body as it came. */
  bodyDigest: Buffer;
  handler: Handler;
}

/** Runs an operation that changes something: in one transaction with what is remembered of it, and once for each idempotency key. */
export async function answerWrite(call: Call, request: Request): Promise<Answer> {
  const retryable = retryableOf(call, request);
  const before = retryable && (await storedAnswer<Answer>(reader(call.service.store, null), retryable));
  if (before) return replayed(before);
  try {
    return await inOneTransaction(call.service.store, {
      always: retryable !== null,
      begin: async (em) => {
        if (retryable) await claim(em, retryable);
      },
      end: async (em, answer: Answer, changes) => {
        if (changes && isAudited(request.operation)) await writeAuditEntry(em, deedOf(call, request.operation, answer), changes);
        if (retryable) await keepAnswer(em, retryable, answer);
      },
    }, () => request.handler(call));
  } catch (error) {
    if (error instanceof AnsweredMeanwhile) return replayed(error.answer);
    throw error;
  }
}

function deedOf({ businessId, credential, params, requestId, address }: Call, { id }: Operation, { body }: Answer): Deed {
  const named = Object.entries(params).findLast(([name]) => name !== 'id')?.[1];
  const { id: made, job_id: job } = (body ?? {}) as { id?: unknown; job_id?: unknown };
  const recordId = named ?? made ?? job;
  return { operation: id, credential, businessId, recordId: typeof recordId === 'string' ? recordId : null, requestId, address };
}

/** Only POST needs a key: the other methods may be sent again as they are. */
function retryableOf(call: Call, { operation, context, bodyDigest }: Request): Retryable | null {
  const key = context.req.headers['idempotency-key'];
  if (operation.method !== 'POST' || key === undefined) return null;
  return identify({
    key: String(key), sender: senderOf(call), token: call.credential ? bearerToken(context) : '',
    method: operation.method, path: context.path, query: context.querystring, bodyDigest,
  });
}

const senderOf = ({ credential, address }: Call): string => (credential ? credentialKey(credential) : `address ${address}`);

const replayed = (answer: Answer): Answer => ({ ...answer, headers: { ...answer.headers, 'Idempotent-Replayed': 'true' } });
