import { createHash } from 'node:crypto';
import { forbidden, invalid, unauthorized } from '../contract/errors.ts';
import { holdCapacity } from '../businesses/capacity.ts';
import { rowLock, type EntityManager } from '../db/store.ts';
import { Driver } from '../drivers/entity.ts';
import { instant } from '../records/present.ts';
import { parseInstant } from '../time/instants.ts';
import { crewOf } from './crew.ts';
import { DriverAction } from './entity.ts';
import type { ActionInput, ActionKind } from './schema.ts';

/** A clock may be a little ahead of ours. */
const aheadMs = 5 * 60_000;

export interface Action {
  businessId: string;
  driverId: string;
  kind: ActionKind;
  orderId?: string;
  input: ActionInput;
}

/** What an action is done with: the driver, locked, and the moment at which it happened. */
export interface Acting {
  em: EntityManager;
  driver: Driver;
  at: Date;
  /** Everybody who drives in the published plan of the order, the driver among them; all locked. */
  crew: string[];
}

export interface Done {
  /** The record concerned, as the driver sees it. */
  answer: object;
  reason?: string;
}

/**
 * Does something that a driver has asked for, once for each action id, and puts it on record. While it is done nothing is published
 * and no capacity changes hands; drivers come before orders when rows are locked, and both by their ids.
 */
export async function performAction(em: EntityManager, { businessId, driverId, kind, orderId, input }: Action, work: (acting: Acting) => Promise<Done>): Promise<object> {
  const { driver, crew, lastActionAt } = await lockCrew(em, { businessId, driverId, orderId });
  const fingerprint = input.action_id === undefined ? null : fingerprintOf(kind, orderId, input);
  const before = input.action_id === undefined ? null : await em.findOne(DriverAction, { driverId, actionId: input.action_id });
  if (before) {
    if (before.fingerprint !== fingerprint) throw invalid('/action_id', 'was used for another action');
    return before.answer!;
  }
  if (kind !== 'duty_ended') refuseDeniedLocation(driver);
  const at = momentOf(input, lastActionAt);
  const { answer, reason } = await work({ em, driver, at, crew });
  em.persist(em.create(DriverAction, {
    businessId, driverId, orderId: orderId ?? null, kind, at, reason: reason ?? null,
    actionId: input.action_id ?? null, fingerprint, answer: input.action_id === undefined ? null : answer,
  } as never));
  await em.flush();
  // No edit of the driver: the revision stays.
  await em.execute('update drivers set last_action_at = ? where business_id = ? and id = ?', [at, businessId, driverId]);
  return answer;
}

/** Denied location permission blocks work; no position with permission granted does not. */
export function refuseDeniedLocation(driver: Driver): void {
  if (driver.locationPermission === 'denied') throw forbidden('location permission is denied: grant it and report it with POST /api/v1/driver/location');
}

/** The session was good when the request came; by now the driver may have been deactivated. */
export function refuseInactive(driver: Driver | null | undefined): asserts driver is Driver {
  if (!driver?.active || driver.deletedAt) throw unauthorized('the driver is not active any more');
}

interface Crew {
  driver: Driver;
  crew: string[];
  lastActionAt: Date | null;
}

async function lockCrew(em: EntityManager, { businessId, driverId, orderId }: Pick<Action, 'businessId' | 'driverId' | 'orderId'>): Promise<Crew> {
  await holdCapacity(em, businessId);
  const crew = [...new Set([driverId, ...(orderId === undefined ? [] : await crewOf(em, businessId, orderId))])];
  const drivers = await em.find(Driver, { id: { $in: crew } }, { lockMode: rowLock.write, orderBy: { id: 'asc' }, refresh: true });
  const driver = drivers.find((each) => each.id === driverId);
  refuseInactive(driver);
  return { driver, crew, lastActionAt: driver.lastActionAt ?? null };
}

/** Actions happen one after the other, and are sent in that order. */
function momentOf({ captured_at: capturedAt }: ActionInput, lastActionAt: Date | null, nowMs = Date.now()): Date {
  if (capturedAt === undefined) return new Date(nowMs);
  const atMs = parseInstant(capturedAt)!;
  if (atMs > nowMs + aheadMs) throw invalid('/captured_at', 'is in the future');
  if (lastActionAt && atMs < lastActionAt.getTime()) throw invalid('/captured_at', `is before the driver's previous action at ${instant(lastActionAt)}`);
  return new Date(Math.min(atMs, nowMs));
}

/** What has to be the same when an action is sent again. */
const fingerprintOf = (kind: ActionKind, orderId: string | undefined, input: ActionInput): string =>
  createHash('sha256').update(JSON.stringify([kind, orderId ?? null, Object.entries(input).toSorted(([a], [b]) => (a < b ? -1 : 1))])).digest('hex');
