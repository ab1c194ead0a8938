import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { businessId, signedIn, type CommandLine } from '../command-line.ts';
import { businessRecord, jobRecord, orderRecord, page, planningResult, planRecord, planRoute, stop, vehicleRecord, warehouseRecord } from '../records.ts';
import { startServiceDouble, type ServiceDouble } from '../service-double.ts';

let service: ServiceDouble;
let milkrun: CommandLine;
let plans: ReturnType<typeof planRecord>[];
beforeAll(async () => { service = await startServiceDouble(); });
afterAll(() => service.close());
beforeEach(() => {
  plans = [planRecord('p-1', { job_id: 'j-1', unplanned_order_ids: ['o-2'], warnings: ['order o-1 starts late'] })];
  service.seen.length = 0;
  service.on = {
    'plans.list': () => ({ body: page(plans) }),
    'plans.get': ({ parameters }) => ({ body: plans.find(({ id }) => id === parameters.record_id) }),
    'settings.get': () => ({ body: businessRecord(businessId, { time_zone: 'Europe/Berlin' }) }),
    'vehicles.list': () => ({ body: page([vehicleRecord('van-1'), vehicleRecord('van-2')]) }),
    'warehouses.list': () => ({ body: page([warehouseRecord('depot')]) }),
    'orders.list': () => ({ body: page([orderRecord('o-1', { scheduled_at: '2026-03-02T07:12:00Z' }), orderRecord('o-2', { location: { latitude: 52.49, longitude: 13.39 } }), orderRecord('o-3', { status: 'cancelled' })]) }),
    'jobs.get': () => ({ body: jobRecord('j-1', { status: 'completed', result: planningResult({ unplanned: [{ order_id: 'o-2', reason: 'unreachable', proved: true, detail: 'no road' }] }) }) }),
  };
  milkrun = signedIn(service.url);
});

const forbidden = () => ({ status: 403, body: { error: { code: 'unauthorized', message: 'not yours' } } });

describe('a route', () => {
  test('is a table in the time of the business, with the way out and the way back', async () => {
    const ran = await milkrun.run(['plans', 'show', '--no-map']);
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(ran.stdout).toBe([
      'VAN-1  2026-03-02  planning, revision 1, plan p-1',
      '#  kind    order  travel   km  arrival   wait  start  end',
      '   leave   Depot       –    –  –            –  –      08:00',
      '1  task    o-1    10 min  5.0  08:10    2 min  08:12  08:30',
      '   return  Depot  10 min  5.0  08:40        –  –      –',
      '1 stops, 20 min of travel (10.0 km), 18 min of service, 2 min of waiting',
      'warning: order o-1 starts late',
      '',
      'Unplanned',
      'order  reason       proved  detail',
      'o-2    unreachable  yes     no road',
      '',
    ].join('\n'));
  });

  test('past midnight tells the day', async () => {
    plans = [planRecord('p-1', { date: '2026-03-01' })];
    expect((await milkrun.run(['plans', 'show', '--no-map'])).stdout).toContain('08:12+1');
  });

  test('the drawing has letter, warehouse and what is unplanned', async () => {
    const { stdout } = await milkrun.run(['plans', 'show', '--width', '30']);
    expect(stdout).toContain('A1');
    expect(stdout).toContain('⌂ warehouse   × unplanned');
    expect(stdout).toContain('A VAN-1: 1 stops, 20 min, 10.0 km');
    expect(stdout).not.toContain('\u001b');
  });

  describe('is drawn', () => {
    const widthOf = (drawing: string) => Math.max(...drawing.split('\n').filter((line) => /[\u2801-\u28ff]/.test(line)).map((line) => line.length));
    const draw = () => milkrun.run(['plans', 'show', '--width', '60']);
    const eastOfStops = 13.46;

    test('along the roads, and whose they are is named once', async () => {
      plans.push(planRecord('p-2', { vehicle_id: 'van-2' }));
      service.on['plans.route'] = ({ parameters }) => ({ body: planRoute(parameters.record_id) });
      const { stdout, stderr } = await draw();
      expect(service.seen.filter(({ operation }) => operation === 'plans.route').map(({ parameters, query }) => [parameters.record_id, query])).toEqual([['p-1', { view: 'planning' }], ['p-2', { view: 'planning' }]]);
      // The warehouse lies far from the right edge, which the corner of the road reaches.
      const [row] = stdout.split('\n').filter((line) => line.includes('⌂') && !line.includes('warehouse'));
      expect(row.indexOf('⌂')).toBeLessThan((widthOf(stdout) * (13.41 - 13.39)) / (eastOfStops - 13.39));
      expect(stdout.match(/© OpenStreetMap contributors/g)).toHaveLength(1);
      expect(stderr).toBe('');
    });

    test.each([404, 403, 503])('straight where the service answers %i, without a word and without asking again', async (status) => {
      plans = Array.from({ length: 9 }, (_, index) => planRecord(`p-${index}`));
      service.on['plans.route'] = () => ({ status, headers: { 'retry-after': '20' }, body: { error: { code: 'unavailable', message: 'the business has no road network' } } });
      const { code, stdout, stderr } = await draw();
      expect([code, stderr]).toEqual([0, '']);
      expect(stdout).toContain('A1');
      expect(stdout).not.toContain('OpenStreetMap');
      expect(service.seen.filter(({ operation }) => operation === 'plans.route')).toHaveLength(4);
    });

    test('not at all without a map, nor as JSON', async () => {
      await milkrun.run(['plans', 'show', '--no-map']);
      await milkrun.run(['plans', 'show', '--json']);
      expect(service.seen.some(({ operation }) => operation === 'plans.route')).toBe(false);
    });
  });

  test('is coloured on a terminal, unless colour is not wanted', async () => {
    expect((await milkrun.run(['plans', 'show'], { typed: [] })).stdout).toContain('\u001b[38;5;');
    expect((await milkrun.run(['plans', 'show'], { typed: [], env: { NO_COLOR: '1' } })).stdout).not.toContain('\u001b');
  });
});

test('several routes have a total and each its letter', async () => {
  plans.push(planRecord('p-2', { vehicle_id: 'van-2', stops: [stop(1, 'o-4', { location: { latitude: 52.52, longitude: 13.42 } })] }));
  const { stdout } = await milkrun.run(['plans', 'show']);
  expect(stdout).toContain('Total  2 plans, 2 stops, 40 min of travel (20.0 km), 36 min of service, 4 min of waiting');
  expect(stdout).toContain('B VAN-2: 1 stops');
});

describe('choosing', () => {
  test('by id, by vehicle, by date and by view', async () => {
    await milkrun.run(['plans', 'show', 'p-1', '--json']);
    expect(service.seen.filter(({ operation }) => operation.startsWith('plans')).map(({ operation, query }) => [operation, query])).toEqual([['plans.get', { view: 'planning' }]]);
    service.seen.length = 0;
    const ran = await milkrun.run(['plans', 'show', '--vehicle', 'van-1', '--date', '2026-03-03', '--view', 'published', '--json']);
    expect(service.seen.find(({ operation }) => operation === 'plans.list')!.query).toMatchObject({ view: 'published', vehicle_id: 'van-1' });
    expect(JSON.parse(ran.stdout)).toMatchObject({ view: 'published', plans: [] });
  });

  test('one that is not there is not found', async () => {
    service.on['plans.get'] = () => ({ status: 404, body: { error: { code: 'not_found', message: 'no plan' } } });
    expect(await milkrun.run(['plans', 'show', 'p-9'])).toMatchObject({ code: 5, stdout: '' });
  });

  test('what was published is the snapshot, and not what planning made of it since', async () => {
    const published = { revision: 1, published_at: '2026-03-01T00:00:00Z', publication_id: 'x', driver_id: null, start_at: null, end_at: null, stops: [stop(1, 'o-old')], return_leg: null };
    plans = [planRecord('p-1', { state: 'published', published })];
    const { stdout } = await milkrun.run(['plans', 'show', '--view', 'published', '--no-map']);
    expect(stdout).toContain('o-old');
    expect(stdout).not.toContain('return');
  });
});

describe('unplanned orders', () => {
  test('that no run has seen are told as such', async () => {
    plans = [];
    const ran = await milkrun.run(['plans', 'show']);
    expect(ran.stdout).toContain('o-2    not tried yet');
    expect(ran.stdout).not.toContain('o-3');
    expect(ran.stderr).toContain('there are no plans');
  });

  test('that found their place since are not listed', async () => {
    service.on['orders.list'] = () => ({ body: page([orderRecord('o-2', { scheduled_at: '2026-03-02T07:12:00Z' })]) });
    expect((await milkrun.run(['plans', 'show'])).stdout).not.toContain('Unplanned');
  });
});

test('a key that may read plans only sees them, and hears what is missing', async () => {
  for (const operation of ['settings.get', 'vehicles.list', 'warehouses.list', 'orders.list']) service.on[operation] = forbidden;
  const ran = await milkrun.run(['plans', 'show']);
  expect(ran.code).toBe(0);
  expect(ran.stdout).toContain('van-1  2026-03-02');
  expect(ran.stdout).toContain('o-2    unreachable');
  expect(ran.stderr).toContain('times are in UTC');
  expect(ran.stdout).toContain('07:12');
});

test('--json holds plans, zone and reasons', async () => {
  const { stdout } = await milkrun.run(['plans', 'show', '--json']);
  expect(JSON.parse(stdout)).toMatchObject({ time_zone: 'Europe/Berlin', view: 'planning', plans: [{ id: 'p-1' }], unplanned: [{ order_id: 'o-2', reason: 'unreachable' }] });
});
