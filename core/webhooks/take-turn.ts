import { reader, type Store } from '../db/store.ts';
import { instant } from '../records/present.ts';
import { claimNext, recordAttempt, releaseClaim, type Claim, type WebhookRef } from './attempts.ts';
import { Webhook } from './entity.ts';
import { failingSinceMs, noteFailure, noteSuccess, switchOff } from './health.ts';
import { isSuccess, judge, type Outcome } from './judge.ts';
import { liveSecrets } from './secrets.ts';
import { send, type Result, type Sending } from './send.ts';
import { signedHeaders } from './sign.ts';
import type { Targets } from './target-rules.ts';

export interface Delivering {
  store: Store;
  targets: Targets;
  /** Breaks off the requests under way. */
  breakOff: AbortSignal;
  /** For tests. */
  send?: (sending: Sending) => Promise<Result>;
  onOutcome?: (claim: Claim, outcome: Outcome) => void;
}

/** So many requests go to one webhook at a time. */
const lanes = 4;
/** Then others have their turn, and what is left waits for the next one. */
const turnMs = 5_000;

/**
 * Sends what is due for one webhook. A turn ends when nothing is due, when its time is over, and for each lane with the first failure:
 * an endpoint that does not answer holds a worker's place for one time limit and not for its whole backlog. `stop` ends it early.
 */
export async function takeTurn(delivering: Delivering, ref: WebhookRef, stop: AbortSignal): Promise<void> {
  const target = await readTarget(delivering.store, ref);
  if (target === null) return;
  const endMs = Date.now() + turnMs;
  const runLane = async (): Promise<void> => {
    while (!stop.aborted && Date.now() < endMs) {
      const claim = await claimNext(delivering.store, ref);
      if (claim === null) return;
      if (stop.aborted) return releaseClaim(delivering.store, claim, { hasBegun: false });
      const outcome = await deliver(delivering, claim, target);
      if (outcome?.kind !== 'delivered') return;
    }
  };
  await Promise.all(Array.from({ length: lanes }, runLane));
}

interface Target {
  url: string;
  secrets: string[];
}

async function readTarget(store: Store, { businessId, webhookId }: WebhookRef): Promise<Target | null> {
  const em = reader(store, businessId);
  const webhook = await em.findOne(Webhook, { id: webhookId, active: true, deletedAt: null });
  return webhook && { url: webhook.url, secrets: await liveSecrets(em, webhook) };
}

/** Sends once and writes down what came of it; null when the worker stops in the middle. */
async function deliver({ store, targets, breakOff, send: sendNow = send, onOutcome }: Delivering, claim: Claim, { url, secrets }: Target): Promise<Outcome | null> {
  const startedAt = new Date();
  const body = bodyOf(claim);
  const { id, requestId } = claim.event;
  const headers = { ...signedHeaders({ id, timestampSeconds: Math.floor(startedAt.getTime() / 1_000), body }, secrets), ...(requestId === null ? {} : { 'x-request-id': requestId }) };
  const result = await sendNow({ url, headers, body, targets, signal: breakOff });
  if (result.kind === 'interrupted') {
    await releaseClaim(store, claim, { hasBegun: true });
    return null;
  }
  const outcome = judge(result, { failures: claim.failures, failingSinceMs: isSuccess(result) ? null : await failingSinceMs(store, claim), nowMs: Date.now(), random: Math.random() });
  const isWritten = await recordAttempt(store, claim, {
    outcome, startedAt, durationMs: result.durationMs,
    responseStatus: result.kind === 'answered' ? result.status : null, responseBody: result.kind === 'answered' ? result.body : null,
  });
  if (isWritten) await noteHealth(store, claim, outcome);
  onOutcome?.(claim, outcome);
  return outcome;
}

/** The same bytes at every attempt. */
const bodyOf = ({ businessId, event }: Claim): string => JSON.stringify({ id: event.id, type: event.type, timestamp: instant(new Date(event.atMs)), business_id: businessId, data: event.data });

async function noteHealth(store: Store, claim: Claim, outcome: Outcome): Promise<void> {
  if (outcome.kind === 'delivered') return claim.isFailing ? noteSuccess(store, claim) : undefined;
  await noteFailure(store, claim, outcome.kind === 'retry' ? outcome.pauseSeconds : 0);
  if (outcome.kind === 'switched_off') await switchOff(store, claim, outcome.reason);
}
