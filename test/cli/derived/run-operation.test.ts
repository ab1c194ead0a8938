import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { businessId, commandLine, signedIn, type CommandLine } from '../command-line.ts';
import { driverRecord, page, vehicleRecord, warehouseRecord, businessRecord } from '../records.ts';
import { startServiceDouble, type ServiceDouble } from '../service-double.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let service: ServiceDouble;
let milkrun: CommandLine;
beforeAll(async () => { service = await startServiceDouble(); });
afterAll(() => service.close());
beforeEach(() => {
  service.on = {};
  service.seen.length = 0;
  milkrun = signedIn(service.url);
});

describe('bodies', () => {
  test('flags make the body, and a place is latitude,longitude', async () => {
    service.on['warehouses.create'] = ({ body }) => ({ body: warehouseRecord('w', body) });
    const ran = await milkrun.run(['warehouses', 'create', '--name', 'North', '--location', '52.5,-13.4', '--json']);
    expect(ran.code).toBe(0);
    expect(service.seen[0].body).toEqual({ name: 'North', location: { latitude: 52.5, longitude: -13.4 } });
    expect(JSON.parse(ran.stdout)).toMatchObject({ id: 'w', name: 'North' });
  });

  test('flags win over --data, and a group is merged with it', async () => {
    service.on['settings.update'] = () => ({ body: businessRecord(businessId) });
    await milkrun.run(['settings', 'update', '--data', '{"name":"A","planning":{"travel_metric":"time","notify_unplanned":true}}', '--name', 'B', '--planning-travel-metric', 'distance']);
    expect(service.seen[0].body).toEqual({ name: 'B', planning: { travel_metric: 'distance', notify_unplanned: true } });
  });

  test('--no-… empties a field that may be empty and turns off one that is on or off', async () => {
    service.on['vehicles.update'] = () => ({ body: vehicleRecord('v') });
    service.on['drivers.update'] = () => ({ body: driverRecord('d') });
    await milkrun.run(['vehicles', 'update', 'v', '--no-driver-id', '--weight-kg', '3500.5']);
    await milkrun.run(['drivers', 'update', 'd', '--no-active']);
    expect(service.seen.map(({ body }) => body)).toEqual([{ driver_id: null, weight_kg: 3500.5 }, { active: false }]);
  });

  test('@file and standard input hold JSON, byte order mark or not', async () => {
    service.on['vehicles.create'] = () => ({ body: vehicleRecord('v') });
    const folder = temporaryFolder();
    const hours = { weekly: { 0: [{ start: '08:00', end: '12:00' }] }, overrides: {} };
    writeFileSync(join(folder, 'body.json'), '\ufeff{"name":"V","warehouse_id":"depot"}');
    writeFileSync(join(folder, 'hours.json'), JSON.stringify(hours));
    expect(await milkrun.run(['vehicles', 'create', '--data', `@${folder}/body.json`])).toMatchObject({ code: 0 });
    expect(await milkrun.run(['vehicles', 'create', '--data', '-', '--working-hours', `@${folder}/hours.json`], { stdin: '{"name":"V","warehouse_id":"depot"}' })).toMatchObject({ code: 0 });
    expect(service.seen[1].body).toEqual({ name: 'V', warehouse_id: 'depot', working_hours: hours });
    expect(await milkrun.run(['vehicles', 'create', '--data', '@/nowhere/x.json'])).toMatchObject({ code: 2, stderr: 'milkrun: /nowhere/x.json can not be read: ENOENT\n' });
    expect((await milkrun.run(['vehicles', 'create', '--data', '{'])).stderr).toContain('--data is not JSON');
  });

  test('a list of orders may be given without its wrapping', async () => {
    const order = { location: { latitude: 1, longitude: 2 }, duration_seconds: 60, window_start: '2026-03-02T08:00:00Z', window_end: '2026-03-02T09:00:00Z' };
    service.on['orders.batch'] = () => ({ body: { items: [] } });
    await milkrun.run(['orders', 'batch', '--data', '-'], { stdin: JSON.stringify([order]) });
    expect(service.seen[0].body).toEqual({ items: [order] });
  });

  test('nothing to send is wrong usage, and nothing is sent', async () => {
    const ran = await milkrun.run(['vehicles', 'update', 'v']);
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(ran.stderr).toContain('there is nothing to send');
    expect(service.seen).toEqual([]);
  });

  test.each([
    [['warehouses', 'create', '--location', '95,10'], 'latitude beyond 90'],
    [['warehouses', 'create', '--location', '52.5'], 'is not a place such as'],
    [['vehicles', 'create', '--height-meters', '0'], 'must be more than 0'],
    [['vehicles', 'create', '--working-hours', '{'], 'is not JSON'],
    [['orders', 'create', '--duration-seconds', '1.5'], 'is not a whole number'],
    [['orders', 'create', '--type', 'nap'], 'Allowed choices are task, break'],
    [['api-keys', 'create', '--name', 'k', '--scopes', 'orders.read,orders.eat'], 'has no "orders.eat"'],
    [['vehicles', 'list', '--limit', '0'], 'must be at least 1'],
    [['vehicles', 'list', '--all', '--limit', '5'], 'contradict each other'],
    [['vehicles', 'get'], "missing required argument 'vehicle-id'"],
    [['vehicles', 'get', '..'], 'is no record id'],
    [['vehicles', 'get', 'a', 'b'], 'too many arguments'],
  ])('%j is wrong usage', async (argv, message) => {
    const ran = await milkrun.run(argv);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain(message);
    expect(service.seen).toEqual([]);
  });

  test('what the service refuses is told with every detail', async () => {
    const ran = await milkrun.run(['orders', 'create', '--data', '{"nonsense":1}']);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain("must have required property 'location'");
    expect(ran.stderr).toContain('must NOT have additional properties');
  });
});

describe('lists', () => {
  /** Five vehicles in pages as large as asked for, but two at most. */
  function serveFive(): void {
    service.on['vehicles.list'] = ({ query }) => {
      const first = Number(query.cursor ?? 0);
      const end = Math.min(5, first + Math.min(2, Number(query.limit)));
      const items = Array.from({ length: end - first }, (_, at) => vehicleRecord(`van-${first + at}`));
      return { body: page(items, end < 5 ? String(end) : null) };
    };
  }

  test('every page is fetched, with the filter on each', async () => {
    serveFive();
    const ran = await milkrun.run(['vehicles', 'list', '--q', 'van', '--record-status', 'all', '--json']);
    expect(JSON.parse(ran.stdout)).toMatchObject({ items: [0, 1, 2, 3, 4].map((at) => ({ id: `van-${at}` })), next_cursor: null });
    expect(service.seen.map(({ query }) => [query.q, query.record_status, query.cursor])).toEqual([['van', 'all', undefined], ['van', 'all', '2'], ['van', 'all', '4']]);
  });

  test('--limit takes so many and tells where to go on', async () => {
    serveFive();
    const ran = await milkrun.run(['vehicles', 'list', '--limit', '3', '--json']);
    expect(JSON.parse(ran.stdout)).toMatchObject({ items: [{ id: 'van-0' }, { id: 'van-1' }, { id: 'van-2' }], next_cursor: '3' });
    const rest = await milkrun.run(['vehicles', 'list', '--cursor', '3', '--json']);
    expect(JSON.parse(rest.stdout).items).toMatchObject([{ id: 'van-3' }, { id: 'van-4' }]);
  });

  test('a table has a line per record; an empty one is told on stderr', async () => {
    serveFive();
    const ran = await milkrun.run(['vehicles', 'list']);
    expect(ran.stdout.split('\n')).toHaveLength(7);
    expect(ran.stdout).toContain('van-4  VAN-4  depot      –       –       –   Mo               1');
    service.on['vehicles.list'] = () => ({ body: page([]) });
    expect(await milkrun.run(['vehicles', 'list'])).toEqual({ code: 0, stdout: '', stderr: 'none\n' });
  });

  test('a service that gives the same cursor for ever does not keep us', async () => {
    service.on['vehicles.list'] = () => ({ body: page([vehicleRecord('v')], 'again') });
    expect(JSON.parse((await milkrun.run(['vehicles', 'list', '--json'])).stdout).items).toHaveLength(2);
  });
});

describe('deletion', () => {
  beforeEach(() => { service.on['vehicles.delete'] = () => ({}); });

  test('without a terminal it takes --yes', async () => {
    const ran = await milkrun.run(['vehicles', 'delete', 'van-1']);
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(ran.stderr).toContain('takes --yes');
    expect(service.seen).toEqual([]);
    expect(await milkrun.run(['vehicles', 'delete', 'van-1', '--yes'])).toEqual({ code: 0, stdout: '', stderr: 'vehicles delete van-1: done\n' });
  });

  test('on a terminal it asks, and only yes is yes', async () => {
    expect(await milkrun.run(['vehicles', 'delete', 'van-1'], { typed: [''] })).toMatchObject({ code: 2 });
    expect(service.seen).toEqual([]);
    const ran = await milkrun.run(['vehicles', 'delete', 'van-1'], { typed: ['y'] });
    expect(ran.stderr).toContain('Delete vehicle van-1? [y/N]');
    expect(ran.code).toBe(0);
    expect(service.seen).toHaveLength(1);
  });
});

describe('what next', () => {
  test('a stale edit tells to read again', async () => {
    service.on['vehicles.update'] = () => ({ status: 409, body: { error: { code: 'conflict', message: 'the vehicle has changed', details: [{ path: '/revision', message: 'is 4 now' }] } } });
    const ran = await milkrun.run(['vehicles', 'update', 'v', '--name', 'x', '--revision', '3']);
    expect(ran.code).toBe(6);
    expect(ran.stderr).toBe('milkrun: the vehicle has changed\n  /revision is 4 now\nnext: somebody else was faster: read it again with get, look at what changed, and repeat with the new --revision\n');
  });

  test('a conflict of another kind gives no such advice', async () => {
    service.on['vehicles.delete'] = () => ({ status: 409, body: { error: { code: 'conflict', message: 'the vehicle has work' } } });
    expect(await milkrun.run(['vehicles', 'delete', 'v', '--yes'])).toMatchObject({ code: 6, stderr: 'milkrun: the vehicle has work\n' });
  });

  test('a secret is shown with the word that it is shown once', async () => {
    service.on['drivers.reset'] = () => ({ body: { ...driverRecord('d'), activation_code: 'ma_1' } });
    const ran = await milkrun.run(['drivers', 'reset', 'd']);
    expect(ran.stdout).toContain('activation_code  ma_1');
    expect(ran.stderr).toBe('the activation code is shown only this once\n');
  });

  test('without a business, how to choose one', async () => {
    const ran = await commandLine(service.url).run(['vehicles', 'list']);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain('milkrun business use <id>');
  });
});

test('names from elsewhere can not drive the terminal', async () => {
  service.on['vehicles.get'] = () => ({ body: vehicleRecord('v', { name: 'a\u001b[2Jb\u202ec' }) });
  const ran = await milkrun.run(['vehicles', 'get', 'v'], { typed: [] });
  expect(ran.stdout).toContain('a\\u001b[2Jb\\u202ec');
});
