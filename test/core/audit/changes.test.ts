import { describe, expect, test } from '@jest/globals';
import { isSecret, recordKinds } from '../../../core/audit/audited.ts';
import { auditedChanges } from '../../../core/audit/changes.ts';
import { entities } from '../../../core/db/entities.ts';
import type { RecordedChange } from '../../../core/db/recorded-changes.ts';

const change = (fields: Record<string, [unknown, unknown]>, rest: Partial<RecordedChange> = {}): RecordedChange => ({
  entity: 'Driver', businessId: 'b', id: 'driver-1', kind: 'updated',
  fields: Object.fromEntries(Object.entries(fields).map(([name, [before, after]]) => [name, { before, after }])), ...rest,
});

test('several writes to one record are one change, from the first state to the last', () => {
  const { changes } = auditedChanges([change({ name: ['a', 'b'], email: ['x', 'y'] }), change({ name: ['b', 'c'], active: [true, false] }), change({ email: ['y', 'x'] })]);
  expect(changes).toEqual([{ record_kind: 'driver', record_id: 'driver-1', change: 'updated', fields: { name: { before: 'a', after: 'c' }, active: { before: true, after: false } } }]);
});

test('what is deleted softly is deleted', () => {
  expect(auditedChanges([change({ deletedAt: [null, '2026-03-02T08:00:00.000Z'] })]).changes[0].change).toBe('deleted');
  expect(auditedChanges([change({ deletedAt: [null, null], name: [null, 'new'] }, { kind: 'created' })]).changes[0].change).toBe('created');
});

test('a secret leaves only the word that it has changed', () => {
  const { changes } = auditedChanges([change({ activationHash: [null, 'ab12'], activationExpiresAt: [null, '2026-03-02T08:00:00.000Z'] })]);
  expect(changes[0].fields).toEqual({ activation_hash: { before: null, after: '***' }, activation_expires_at: { before: null, after: '2026-03-02T08:00:00.000Z' } });
});

test('long values and many records stay out', () => {
  const plans = Array.from({ length: 500 }, (_, i) => change({ name: [null, 'x'.repeat(i === 0 ? 2_000 : 900)] }, { id: `driver-${i}`, kind: 'created' }));
  const { changes, omitted } = auditedChanges(plans);
  expect([changes.length, omitted]).toEqual([200, 300]);
  expect(changes[0].fields).toEqual({ name: { before: null, after: '(2002 characters of JSON)' } });
  expect([changes[1].fields === null, changes[199].fields === null]).toEqual([false, true]);
  expect(JSON.stringify(changes).length).toBeLessThan(100 * 1024);
});

describe('every table', () => {
  const tables = entities.map((entity) => (entity as unknown as { meta?: { className: string; properties: Record<string, unknown> }; name: string }).name);

  test('has been decided upon', () => {
    // A new table: give it its word in core/audit/audited.ts, or null where its rows are only how something works.
    expect(tables.filter((name) => !(name in recordKinds))).toEqual([]);
    expect(Object.keys(recordKinds).filter((name) => !tables.includes(name))).toEqual([]);
  });

  test('keeps what signs somebody in to itself', () => {
    const secrets = ['passwordHash', 'tokenHash', 'keyHash', 'invitationHash', 'activationHash', 'secret', 'previousSecret', 'deviceToken'];
    expect(secrets.filter((name) => !isSecret(name))).toEqual([]);
    expect(['name', 'email', 'scopes', 'prefix', 'expiresAt', 'status', 'url', 'customFields', 'invitationExpiresAt'].filter(isSecret)).toEqual([]);
  });
});
