import type { Operation } from '../contract/operation.ts';

/** Operations that leave no entry, each with its reason. */
const unaudited: Record<string, string> = {
  'driver.location': 'positions come every few seconds; a log that nobody can shorten is no place for where people have been',
  'availability.query': 'a question that holds windows for a while; what comes of it is a confirmation, which has an entry',
};

export const isAudited = (operation: Pick<Operation, 'id' | 'method'>): boolean => operation.method !== 'GET' && !(operation.id in unaudited);

/** What each kind of row is called in entries; null: the row is how something works, not what somebody did. */
export const recordKinds: Record<string, string | null> = {
  Account: 'account', Session: 'session', Business: 'business', Membership: 'admin', ApiKey: 'api_key',
  Warehouse: 'warehouse', Vehicle: 'vehicle', Driver: 'driver', CustomSchema: 'schema', Order: 'order', Scenario: 'scenario', Region: 'region',
  Plan: 'plan', Publication: 'publication', Job: 'job', Reservation: 'reservation', Evidence: 'evidence', Webhook: 'webhook', Notification: 'notification', PushDevice: 'push_device',
  JobEvent: null, RegionDataset: null, DriverAction: null, WebhookDelivery: null, PushDelivery: null, DomainEvent: null, OutboxEntry: null, IdempotencyKey: null, AuditEntry: null,
};

/** What every row has and no reader misses. */
export const passedOver = new Set(['businessId', 'id', 'createdAt', 'updatedAt', 'revision']);

/** What signs somebody in, or could: not even its hash belongs in a log. */
export const isSecret = (property: string): boolean => /hash|secret|password|token|code|invitation|activation/i.test(property) && !/expiresAt$/i.test(property);
