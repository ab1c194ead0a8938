import { expect, test } from '@jest/globals';
import { conflict, forbidden, invalidAll, malformed, notFound, preconditionFailed, stale, taken, tooLarge, unauthorized, unavailable, unsupportedType } from '../../core/contract/errors.ts';
import { errorAnswer } from '../../daemon/error-answer.ts';

test('a bug is answered without a word about itself, and is told to be one', () => {
  const secrets = [new TypeError('password is hunter2'), 'hunter2', { hunter2: true }, null, undefined, Object.assign(new Error('select hunter2 from accounts'), { code: '42703', status: 404, expose: true })];
  for (const thrown of secrets) {
    const answer = errorAnswer(thrown);
    expect([answer.status, answer.body.error.code, answer.isBug, answer.headers]).toEqual([500, 'unavailable', true, {}]);
    expect(JSON.stringify(answer.body)).not.toMatch(/hunter2|select|stack/);
  }
});

test.each(['08006', '57P01', '57P03', '53300', '3D000', '28P01', 'ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'ETIMEDOUT'])('%s means that the database can not be reached', (code) => {
  const answer = errorAnswer(Object.assign(new Error('at 10.0.0.7'), { code }));
  expect([answer.status, answer.body.error.code, answer.isBug, answer.headers['Retry-After']]).toEqual([503, 'unavailable', false, '5']);
  expect(JSON.stringify(answer.body)).not.toContain('10.0.0.7');
});

test('so does a server that hangs up', () => {
  for (const message of ['Connection terminated unexpectedly', 'Connection terminated due to connection timeout', 'timeout exceeded when trying to connect']) expect(errorAnswer(new Error(message)).status).toBe(503);
});

test('each refusal has its status and code', () => {
  const refusals = [malformed('x'), unauthorized(), forbidden('x'), notFound('order', 'a'), conflict('x'), taken('order', 'a'), stale('order', 1, 2), preconditionFailed(2), tooLarge(1), unsupportedType(), invalidAll([{ path: '/a', message: 'is wrong' }]), unavailable('x')];
  expect(refusals.map((error) => [errorAnswer(error).status, errorAnswer(error).body.error.code])).toEqual([
    [400, 'validation'], [401, 'unauthorized'], [403, 'unauthorized'], [404, 'not_found'], [409, 'conflict'], [409, 'conflict'], [409, 'conflict'], [412, 'conflict'], [413, 'validation'], [415, 'validation'], [422, 'validation'], [503, 'unavailable'],
  ]);
  expect(refusals.every((error) => !errorAnswer(error).isBug)).toBe(true);
});

test('the first problem is the message, all are details', () => {
  expect(errorAnswer(invalidAll([{ path: '/a/0', message: 'is wrong' }, { path: '?q', message: 'is long' }])).body).toEqual({
    error: { code: 'validation', message: '/a/0 is wrong', details: [{ path: '/a/0', message: 'is wrong' }, { path: '?q', message: 'is long' }] },
  });
});
