import { expect, test } from '@jest/globals';
import { openApiDocument } from '../../daemon/openapi.ts';
import { readDocument } from './document.ts';
import { judgeOf } from './judge.ts';
import { parsed } from './json.ts';
import { smallest } from './minimise.ts';
import type { Exchange, Reply, Shot } from './shot.ts';

const document = readDocument(JSON.parse(JSON.stringify(openApiDocument('test'))));
const judge = judgeOf(document);

const path = '/api/v1/businesses/01a1ffb6-6748-7438-8205-885a5478fa80/warehouses';
const location = { latitude: 52.5, longitude: 13.4 };
const warehouse = { id: 'w', created_at: '2026-03-02T08:00:00Z', updated_at: '2026-03-02T08:00:00Z', revision: 1, deleted_at: null, deleted_by: null, name: 'Depot', location };
const refusal = (code: string, message = 'no') => ({ error: { code, message } });

type Given = { shot?: Partial<Shot>; reply?: Partial<Omit<Reply, 'body' | 'headers'>> & { body?: unknown; headers?: Record<string, string | undefined> } };

/** The creation of a warehouse and its right answer, with something changed. */
function exchange({ shot: otherShot = {}, reply: { body = warehouse, headers = {}, ...otherReply } = {} }: Given = {}): Exchange {
  const shot: Shot = { method: 'POST', path, headers: { authorization: 'Bearer ms_x', 'content-type': 'application/json' }, body: Buffer.from(JSON.stringify({ name: 'Depot', location })), isChunked: false, aim: 'warehouses.create', spoilt: [], ...otherShot };
  const all = { 'content-type': 'application/json', 'x-request-id': 'r', location: `${path}/w`, etag: '"1"', 'retry-after': '5', 'www-authenticate': 'Bearer', ...headers };
  const given = Object.fromEntries(Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined));
  const reply: Reply = { status: 201, ms: 1, body: body instanceof Buffer ? body : Buffer.from(body === null ? '' : JSON.stringify(body)), headers: given, ...otherReply };
  return { shot, reply, operation: document.at(shot.path.split('?')[0]).get(shot.method === 'HEAD' ? 'GET' : shot.method) };
}

test.each<[string, Given]>([
  ['as promised', {}],
  ['a name that is trimmed before it is judged', { shot: { body: Buffer.from(JSON.stringify({ name: `Depot${' '.repeat(300)}`, location })) } }],
  ['refused', { reply: { status: 422, body: refusal('validation') } }],
  ['not there', { shot: { path: '/api/v1/nothing' }, reply: { status: 404, body: refusal('not_found') } }],
  ['not this method', { shot: { method: 'PUT' }, reply: { status: 405, body: refusal('validation'), headers: { allow: 'GET, HEAD, POST' } } }],
  ['without a head that Node takes', { shot: { path: `/${'x'.repeat(20_000)}` }, reply: { status: 431, body: refusal('validation'), headers: { 'x-request-id': undefined } } }],
])('nothing is said of an answer that is right: %s', (_what, given) => {
  expect(judge(exchange(given))).toEqual([]);
});

test.each<[string, Given, RegExp]>([
  ['a bug', { reply: { status: 500, body: refusal('unavailable') } }, /a bug: 500/],
  ['no answer', { reply: { failure: 'no answer: socket hang up' } }, /socket hang up/],
  ['a status that is not declared', { reply: { status: 418, body: refusal('validation') } }, /does not declare 418/],
  ['a success that is not declared', { reply: { status: 200 } }, /does not declare 200/],
  ['a field of another type', { reply: { body: { ...warehouse, revision: '1' } } }, /revision must be integer/],
  ['a missing field', { reply: { body: { ...warehouse, location: undefined } } }, /required property 'location'/],
  ['a field that nobody knows', { reply: { body: { ...warehouse, more: 1 } } }, /additional properties/],
  ['a date that is none', { reply: { body: { ...warehouse, created_at: '2026-02-30T08:00:00Z' } } }, /format "date-time"/],
  ['another type', { reply: { headers: { 'content-type': 'text/html' } } }, /content type/],
  ['no JSON', { reply: { body: Buffer.from('{') } }, /not JSON/],
  ['a creation without an address', { reply: { headers: { location: undefined } } }, /Location is missing/],
  ['a record without ETag', { reply: { headers: { etag: undefined } } }, /ETag is missing/],
  ['another ETag', { reply: { headers: { etag: '"2"' } } }, /ETag is "2", the revision 1/],
  ['no request id', { reply: { headers: { 'x-request-id': undefined } } }, /X-Request-Id is missing/],
  ['an error of another shape', { reply: { status: 422, body: { message: 'no' } } }, /required property 'error'/],
  ['an error of another code', { reply: { status: 409, body: refusal('validation') } }, /409 goes with the code conflict/],
  ['401 that does not say how', { reply: { status: 401, body: refusal('unauthorized'), headers: { 'www-authenticate': undefined } } }, /WWW-Authenticate is missing/],
  ['503 that does not say when', { reply: { status: 503, body: refusal('unavailable'), headers: { 'retry-after': undefined } } }, /Retry-After is missing/],
  ['503 that says it in words', { reply: { status: 503, body: refusal('unavailable'), headers: { 'retry-after': 'soon' } } }, /Retry-After: soon/],
  ['a stack trace', { reply: { status: 422, body: refusal('validation', 'Error at run (/srv/core/orders/rules.ts:12:3)') } }, /tells of our insides/],
  ['the words of the database', { reply: { status: 409, body: refusal('conflict', 'insert violates unique constraint') } }, /tells of our insides/],
  ['success without a credential', { shot: { headers: { 'content-type': 'application/json' } } }, /201 without a credential/],
  ['success of a body that is wrong', { shot: { body: Buffer.from('{"name":"Depot"}') } }, /201 for a body that its schema refuses/],
  ['success of a body that is none', { shot: { body: Buffer.from('{') } }, /201 for a body that its schema refuses/],
  ['success in spite of a parameter', { shot: { path: `${path}?nonsense=1` } }, /unknown parameter nonsense/],
  ['success in spite of its value', { shot: { method: 'GET', path: `${path}?limit=-1`, body: null }, reply: { status: 200, body: { items: [], next_cursor: null } } }, /limit=-1/],
  ['success in spite of If-Match', { shot: { method: 'PATCH', path: `${path}/w`, headers: { authorization: 'Bearer x', 'if-match': '"0"' } }, reply: { status: 200 } }, /200 for If-Match/],
  ['something where nothing is', { shot: { path: '/api/v1/nothing' }, reply: { status: 200 } }, /200 where there is nothing/],
  ['another method', { shot: { method: 'PUT' }, reply: { status: 404, body: refusal('not_found') } }, /404 for PUT/],
  ['other methods than there are', { shot: { method: 'PUT' }, reply: { status: 405, body: refusal('validation'), headers: { allow: 'GET' } } }, /Allow says GET/],
  ['a body of HEAD', { shot: { method: 'HEAD', body: null }, reply: { status: 200, body: { items: [] } } }, /HEAD has a body/],
  ['a job that failed by our fault', { shot: { method: 'GET', path: path.replace('warehouses', 'jobs/x'), body: null }, reply: { status: 200, body: { error: { code: 'unavailable', message: 'planning failed for a reason that is ours' } } } }, /a reason that is ours/],
])('an answer that is wrong is noticed: %s', (_what, given, problem) => {
  expect(judge(exchange(given)).join('; ')).toMatch(problem);
});

test('a failing request is made as small as it still fails', async () => {
  const failing = exchange({
    shot: { path: `${path}?limit=1`, isChunked: true, headers: { authorization: 'Bearer x', 'content-type': 'application/json', 'x-more': '1' }, body: Buffer.from(JSON.stringify({ name: 'Depot', location, list: [1, 2, { bad: 1 }, 4], more: 'x'.repeat(1_000) })) },
    reply: { status: 500, body: refusal('unavailable') },
  });
  const isBad = (shot: Shot) => shot.body!.includes('"bad"');
  const small = await smallest(failing, async (shot) => ({ ...failing, shot, reply: isBad(shot) ? failing.reply : exchange().reply }), judge);
  expect([small.shot.path, Object.keys(small.shot.headers), small.shot.isChunked, parsed(small.shot.body)]).toEqual([path, ['authorization', 'content-type'], false, { list: [{ bad: 1 }] }]);
});
