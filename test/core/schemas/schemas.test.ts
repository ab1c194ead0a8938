import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createBusiness, signedIn, type TestBusiness } from '../../support/business.ts';
import type { Client } from '../../support/client.ts';
import { customSchema, pathsOf } from '../../support/records.ts';
import { startService, type TestService } from '../../support/service.ts';

let service: TestService;
let admin: Client;
let business: TestBusiness;

beforeAll(async () => {
  service = await startService();
  admin = await signedIn(service);
});
afterAll(() => service.close());
beforeEach(async () => {
  business = await createBusiness(service, {}, admin);
});

const post = (...fields: object[]) => business.admin.post(`${business.path}/schemas`, { name: 'Fields', fields });
const field = (id: string, rest: object = {}) => ({ id, name: id, type: 'text', ...rest });

describe('definitions', () => {
  test.each<[string, object[], string[]]>([
    ['an id twice', [field('a'), field('a')], ['/fields/1/id']],
    ['hidden from drivers, but editable', [field('a', { driver_editable: true }), field('b', { driver_visible: false, driver_editable: true })], ['/fields/0/driver_editable', '/fields/1/driver_editable']],
    ['a select without choices', [field('a', { type: 'select' }), field('b', { type: 'select', choices: [] })], ['/fields/0/choices', '/fields/1/choices']],
    ['a choice twice', [field('a', { type: 'select', choices: [{ id: 'x', label: '1' }, { id: 'x', label: '2' }] })], ['/fields/0/choices/1/id']],
    ['choices of what is no select', [field('a', { choices: [{ id: 'x', label: '1' }], multiple: true })], ['/fields/0/choices', '/fields/0/multiple']],
    ['another type', [field('a', { type: 'money' })], ['/fields/0/type']],
    ['no name, no type', [{ id: 'a' }], ['/fields/0/name', '/fields/0/type']],
    ['a blank id', [{ ...field(' '), name: 'A' }], ['/fields/0/id']],
    ['more than a field has', [field('a', { colour: 'red' })], ['/fields/0/colour']],
  ])('%s', async (_what, fields, paths) => {
    const reply = await post(...fields);
    expect([reply.status, pathsOf(reply)]).toEqual([422, paths]);
  });

  test('names of fields and choices are trimmed', async () => {
    const { fields } = await customSchema(business, [field('a', { name: ' A ', type: 'select', choices: [{ id: 'x', label: ' X ' }] })]);
    expect([fields[0].name, fields[0].choices[0].label]).toEqual(['A', 'X']);
  });
});

describe('field ids are unique over the active schemas', () => {
  test('an id of another schema is refused, and free again when that is deleted', async () => {
    const first = await customSchema(business, [field('a'), field('b')], { name: 'First' });
    const refused = await post(field('c'), field('b'));
    expect([refused.status, refused.body.error.code, pathsOf(refused)]).toEqual([409, 'conflict', ['/fields/1/id']]);
    expect(refused.body.error.message).toContain('First');
    const second = await customSchema(business, [field('c')]);
    expect((await business.admin.patch(`${business.path}/schemas/${second.id}`, { fields: [field('a')] })).status).toBe(409);
    expect((await business.admin.patch(`${business.path}/schemas/${first.id}`, { fields: [field('b'), field('d')] })).status).toBe(200);
    expect((await business.admin.patch(`${business.path}/schemas/${second.id}`, { fields: [field('a')] })).status).toBe(200);
    await business.admin.delete(`${business.path}/schemas/${first.id}`);
    expect((await post(field('b'))).status).toBe(201);
  });

  test('of several that want one at the same time one gets it', async () => {
    const replies = await Promise.all([post(field('raced')), post(field('raced')), post(field('raced'))]);
    expect(replies.map((reply) => reply.status).toSorted()).toEqual([201, 409, 409]);
  });

  test('another business has its own', async () => {
    await customSchema(business, [field('a')]);
    await customSchema(await createBusiness(service), [field('a')]);
  });
});
