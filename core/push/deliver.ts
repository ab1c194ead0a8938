import { createHash } from 'node:crypto';
import { Session } from '../accounts/entity.ts';
import { rowLock, transaction, type EntityManager, type Store } from '../db/store.ts';
import { Driver } from '../drivers/entity.ts';
import { notifyOnce } from '../notifications/notify.ts';
import { PushDelivery, PushDevice, type PushStatus } from './entity.ts';
import type { PushMessage, PushOutcome } from './outcome.ts';
import type { PushProvider } from './schema.ts';
import type { PushSenders } from './senders.ts';

export interface PushRef {
  businessId: string;
  deliveryId: string;
}

/** Waiting times after failed attempts; after the last of them it is given up. A publication of yesterday is no news. */
const retrySeconds = [5, 30, 120, 600, 1_800];
const retrySecondsMax = 3_600;
/** Longer than the longest attempt: after that its worker counts as dead. */
const leaseMs = 60_000;
const messageLifeMs = 24 * 3_600_000;

interface Attempt {
  device: PushDevice;
  message: PushMessage;
  number: number;
}

/** Tries to send one message, if it is due and nobody else is at it. What became of it; null where there was nothing to do. */
export async function deliverPush(store: Store, senders: PushSenders, ref: PushRef, signal: AbortSignal): Promise<PushOutcome | null> {
  const attempt = await beginAttempt(store, senders, ref, new Date());
  if (attempt === null) return null;
  const outcome = await senders[attempt.device.provider]!.send(attempt.device.deviceToken, attempt.message, signal);
  await settle(store, ref, { attempt, outcome, isBrokenOff: signal.aborted, now: new Date() });
  return outcome;
}

async function beginAttempt(store: Store, senders: PushSenders, ref: PushRef, now: Date): Promise<Attempt | null> {
  return transaction(store, ref.businessId, async (em) => {
    const delivery = await lockDelivery(em, ref);
    if (delivery === null || delivery.dueAt > now) return null;
    const device = await em.findOne(PushDevice, { id: delivery.deviceId, deletedAt: null });
    if (device === null || device.driverId !== delivery.driverId) return end(em, delivery, { status: 'not_sent', reason: 'the device is another driver\'s now, or nobody\'s' }, now);
    if (!(await hasAccess(em, device, now))) return end(em, delivery, { status: 'not_sent', reason: 'the driver has signed out or is not active' }, now);
    if (senders[device.provider] === null) {
      const reason = `${device.provider} is not configured`;
      await tell(em, delivery, device.provider, reason);
      return end(em, delivery, { status: 'not_sent', reason }, now);
    }
    if (delivery.attempts > retrySeconds.length) return end(em, delivery, { status: 'failed', reason: 'the attempts came to no end' }, now);
    delivery.attempts++;
    delivery.dueAt = new Date(now.getTime() + leaseMs);
    await em.flush();
    return { device, message: messageOf(delivery), number: delivery.attempts };
  });
}

const lockDelivery = (em: EntityManager, { deliveryId }: PushRef): Promise<PushDelivery | null> =>
  em.findOne(PushDelivery, { id: deliveryId, status: 'queued' }, { lockMode: rowLock.write });

async function hasAccess(em: EntityManager, device: PushDevice, now: Date): Promise<boolean> {
  const [drivers, sessions] = [
    await em.count(Driver, { id: device.driverId, active: true, deletedAt: null }),
    await em.count(Session, { id: device.sessionId, revokedAt: null, expiresAt: { $gt: now } }),
  ];
  return drivers > 0 && sessions > 0;
}

async function end(em: EntityManager, delivery: PushDelivery, { status, reason }: { status: PushStatus; reason?: string }, now: Date): Promise<null> {
  Object.assign(delivery, { status, reason: reason ?? null, finishedAt: now });
  await em.flush();
  return null;
}

const messageOf = (delivery: PushDelivery): PushMessage => ({
  id: delivery.id,
  title: 'New plan',
  body: 'Your published work has changed.',
  data: { type: 'plans.published', business_id: delivery.businessId, publication_id: delivery.publicationId },
  expiresAt: new Date(delivery.createdAt.getTime() + messageLifeMs),
  collapseKey: 'plans.published',
});

/** Writes down what became of an attempt, unless somebody has taken it over. */
async function settle(store: Store, ref: PushRef, { attempt, outcome, isBrokenOff, now }: { attempt: Attempt; outcome: PushOutcome; isBrokenOff: boolean; now: Date }): Promise<void> {
  await transaction(store, ref.businessId, async (em) => {
    const delivery = await lockDelivery(em, ref);
    if (delivery === null || delivery.attempts !== attempt.number) return;
    const { device } = attempt;
    if (outcome.kind === 'sent') return void (await end(em, delivery, { status: 'sent' }, now));
    delivery.reason = outcome.reason;
    // The worker stops: it was no failure of the message.
    if (outcome.kind === 'retry' && isBrokenOff) Object.assign(delivery, { attempts: delivery.attempts - 1, dueAt: now });
    else if (outcome.kind === 'retry' && attempt.number <= retrySeconds.length) delivery.dueAt = new Date(now.getTime() + waitMs(attempt.number, outcome.afterSeconds));
    else await giveUp(em, { delivery, device, outcome, now });
    await em.flush();
  });
}

/** What the provider asks for, but not less than the schedule; spread a little, so that not all come back at once. */
const waitMs = (attempt: number, asked = 0): number => Math.max(retrySeconds[attempt - 1] * (1 + Math.random() / 5), Math.min(asked, retrySecondsMax)) * 1_000;

async function giveUp(em: EntityManager, { delivery, device, outcome, now }: { delivery: PushDelivery; device: PushDevice; outcome: Exclude<PushOutcome, { kind: 'sent' }>; now: Date }): Promise<void> {
  const present = await em.findOne(PushDevice, { id: device.id, deletedAt: null }, { lockMode: rowLock.write });
  // Registered again since it was gone, or since we sent: then it is another one that is gone.
  const isGone = outcome.kind === 'gone' && present !== null && present.registeredAt.getTime() === device.registeredAt.getTime() && !(outcome.at && outcome.at < device.registeredAt);
  if (isGone) Object.assign(present, { deletedAt: now, deletedBy: null });
  if (outcome.kind !== 'gone') await tell(em, delivery, device.provider, outcome.reason);
  await end(em, delivery, { status: outcome.kind === 'gone' ? 'not_sent' : 'failed', reason: outcome.reason }, now);
}

/** Once for a publication, provider and reason, however many drivers it concerns. */
async function tell(em: EntityManager, { businessId, publicationId }: PushDelivery, provider: PushProvider, reason: string): Promise<void> {
  const key = createHash('sha256').update(JSON.stringify([publicationId, provider, reason])).digest('hex').slice(0, 32);
  await notifyOnce(em, businessId, `push-${key}`, {
    kind: 'push_failed', message: `Drivers were not told of a publication: ${reason}.`, data: { publication_id: publicationId, provider, reason },
  });
}

const takenAtOnce = 500;

/** Messages that are due, the longest waiting first. */
export async function duePushes(store: Store, now = new Date()): Promise<PushRef[]> {
  return store.em.fork().execute<PushRef[]>(
    `select business_id as "businessId", id as "deliveryId" from push_deliveries where status = 'queued' and due_at <= ? order by due_at limit ?`, [now, takenAtOnce],
  );
}

const keptDays = 30;

/** Forgets what has ended long ago; how many. */
export async function sweepPushes(store: Store): Promise<number> {
  const rows = await store.em.fork().execute<unknown[]>(
    `delete from push_deliveries where (business_id, id) in (select business_id, id from push_deliveries where finished_at < now() - make_interval(days => ?) limit 1000 for update skip locked) returning id`,
    [keptDays],
  );
  return rows.length;
}
