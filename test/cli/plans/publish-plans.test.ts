import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { signedIn, type CommandLine } from '../command-line.ts';
import { orderRecord, page, planRecord, publicationRecord } from '../records.ts';
import { startServiceDouble, type ServiceDouble } from '../service-double.ts';

let service: ServiceDouble;
let milkrun: CommandLine;
let plans: ReturnType<typeof planRecord>[];
beforeAll(async () => { service = await startServiceDouble(); });
afterAll(() => service.close());
beforeEach(() => {
  plans = [planRecord('p-1', { revision: 3 }), planRecord('p-2', { vehicle_id: 'van-2', state: 'published' })];
  service.seen.length = 0;
  service.on = {
    'plans.list': () => ({ body: page(plans) }),
    'plans.get': ({ parameters }) => ({ body: plans.find(({ id }) => id === parameters.record_id) }),
    'orders.get': ({ parameters }) => ({ body: orderRecord(parameters.record_id, { revision: 7 }) }),
    'plans.publish': ({ body }) => ({ body: publicationRecord('pub-1', body) }),
  };
  milkrun = signedIn(service.url);
});

const sent = () => service.seen.filter(({ operation }) => operation === 'plans.publish');

describe('publishing', () => {
  test('--all takes every plan in planning, against the revisions that were read', async () => {
    const ran = await milkrun.run(['plans', 'publish', '--all']);
    expect(ran).toMatchObject({ code: 0, stdout: 'Published 1 plans as pub-1\n' });
    expect(sent()[0].body).toEqual({ plan_ids: ['p-1'], order_ids: [], expected_revision: [{ id: 'p-1', revision: 3 }] });
  });

  test('by ids, with orders', async () => {
    await milkrun.run(['plans', 'publish', 'p-1', '--orders', 'o-1,o-2']);
    expect(sent()[0].body).toEqual({ plan_ids: ['p-1'], order_ids: ['o-1', 'o-2'], expected_revision: [{ id: 'p-1', revision: 3 }, { id: 'o-1', revision: 7 }, { id: 'o-2', revision: 7 }] });
  });

  test('--validate-only changes nothing and says so', async () => {
    const ran = await milkrun.run(['plans', 'publish', '--all', '--validate-only']);
    expect(ran.stdout).toBe('Would publish 1 plans; nothing was changed\n');
    expect(sent()[0].query).toEqual({ validate_only: 'true' });
  });

  test('where everything is published already there is nothing to do', async () => {
    plans.shift();
    expect(await milkrun.run(['plans', 'publish', '--all'])).toMatchObject({ code: 0, stdout: '' });
    expect(sent()).toEqual([]);
  });

  test('somebody was faster: 6, and what to do', async () => {
    service.on['plans.publish'] = () => ({ status: 409, body: { error: { code: 'conflict', message: 'the plan has changed', details: [{ path: '/expected_revision/0/revision', message: 'is 4 now' }] } } });
    const ran = await milkrun.run(['plans', 'publish', '--all']);
    expect(ran).toMatchObject({ code: 6, stdout: '' });
    expect(ran.stderr).toContain('next: ');
  });
});

describe('warnings', () => {
  beforeEach(() => { plans[0].warnings = ['o-1 starts late'] as never[]; });

  test('hold the publication back and are shown, with how to go on', async () => {
    const ran = await milkrun.run(['plans', 'publish', '--all']);
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(ran.stderr).toContain('warning: van-1 2026-03-02 (p-1): o-1 starts late');
    expect(ran.stderr).toContain('--acknowledge-warnings');
    expect(sent()).toEqual([]);
  });

  test('are published when they are acknowledged', async () => {
    expect(await milkrun.run(['plans', 'publish', '--all', '--acknowledge-warnings'])).toMatchObject({ code: 0 });
    expect(sent()[0].body).toMatchObject({ acknowledge_warnings: true });
  });
});

test.each([[['plans', 'publish']], [['plans', 'publish', 'p-1', '--all']]])('%j is wrong usage', async (argv) => {
  expect(await milkrun.run(argv)).toMatchObject({ code: 2, stdout: '' });
  expect(service.seen).toEqual([]);
});
