import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { signedIn, type CommandLine } from '../command-line.ts';
import { scenarioRecord } from '../records.ts';
import { startServiceDouble, type ServiceDouble } from '../service-double.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const scenario = { id: 'corner', name: 'Corner', nodes: [{ id: 'a', x: 13.4, y: 52.5 }], edges: [] };
const loaded = {
  created: { orders: 5, warehouses: 1, vehicles: 2, drivers: 1 }, existing: { orders: 0, warehouses: 0, vehicles: 0, drivers: 0 }, renamed: {}, vehicle_ids: ['van-1'],
  dates: { start: '2026-03-02', end: '2026-03-03' }, activation_codes: { 'driver-1': 'ma_1' },
};

let service: ServiceDouble;
let milkrun: CommandLine;
let folder: string;
beforeAll(async () => { service = await startServiceDouble(); });
afterAll(() => service.close());
beforeEach(() => {
  folder = temporaryFolder();
  service.seen.length = 0;
  service.on = {
    'scenarios.create': ({ body }) => ({ body: scenarioRecord(body.id, body) }),
    'scenarios.update': ({ parameters }) => ({ body: scenarioRecord(parameters.record_id) }),
    'scenarios.load': () => ({ body: loaded }),
  };
  milkrun = signedIn(service.url);
});

function file(content: unknown, name = 'corner.json'): string {
  const path = join(folder, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

const operationsSeen = () => service.seen.map(({ operation }) => operation);
const store = (changes: object) => { service.on['scenarios.get'] = () => ({ body: scenarioRecord('corner', { ...scenario, ...changes }) }); };

describe('a file', () => {
  test('that is new is stored and loaded', async () => {
    const ran = await milkrun.run(['scenarios', 'load', file(scenario), '--anchor-date', '2026-05-04', '--mode', 'replace']);
    expect(ran.code).toBe(0);
    expect(operationsSeen()).toEqual(['scenarios.get', 'scenarios.create', 'scenarios.load']);
    expect(service.seen[1].body).toMatchObject(scenario);
    expect(service.seen[2]).toMatchObject({ parameters: { record_id: 'corner' }, body: { anchor_date: '2026-05-04', mode: 'replace' } });
    expect(ran.stdout).toContain('Loaded corner: 5 orders, 1 warehouses, 2 vehicles, 1 drivers\nWindows from 2026-03-02 to 2026-03-03\n');
    expect(ran.stdout).toContain('driver-1  ma_1');
    expect(ran.stderr).toContain('scenario corner created');
  });

  test('that is stored as it is is not sent again', async () => {
    store({});
    expect((await milkrun.run(['scenarios', 'load', file(scenario)])).stderr).toContain('scenario corner unchanged');
    expect(operationsSeen()).toEqual(['scenarios.get', 'scenarios.load']);
  });

  test('that has changed updates what is stored, against the revision that was read', async () => {
    store({ revision: 4, nodes: [{ id: 'a', x: 13.4, y: 52.6 }] });
    expect((await milkrun.run(['scenarios', 'load', file(scenario)])).stderr).toContain('scenario corner updated');
    expect(service.seen[1]).toMatchObject({ operation: 'scenarios.update', body: { nodes: scenario.nodes, revision: 4 } });
  });

  test('whose id a deleted scenario holds can be stored under another one', async () => {
    service.on['scenarios.create'] = ({ body }) => (body.id === 'corner' ? { status: 409, body: { error: { code: 'conflict', message: 'taken' } } } : { body: scenarioRecord(body.id, body) });
    const ran = await milkrun.run(['scenarios', 'load', file(scenario)]);
    expect(ran.code).toBe(6);
    expect(ran.stderr).toContain('--id');
    expect(await milkrun.run(['scenarios', 'load', file(scenario), '--id', 'corner-2', '--create-name', 'Other'])).toMatchObject({ code: 0 });
    expect(service.seen.at(-2)!.body).toMatchObject({ id: 'corner-2', name: 'Other' });
  });

  test('without an id is called as the file', async () => {
    const { id: _id, ...rest } = scenario;
    await milkrun.run(['scenarios', 'load', file(rest, 'by-name.json')]);
    expect(service.seen.at(-1)!.parameters.record_id).toBe('by-name');
  });

  test.each([
    ['{"nodes":', 'is not JSON'],
    ['[1]', 'must hold a JSON object'],
    [{ ...scenario, nodes: 'many' }, '/nodes must be a list'],
    [{ name: 'x' }, '/nodes must be a list; /edges must be a list'],
    [{ ...scenario, knots: [] }, '/knots is no field of a scenario'],
  ])('that is no scenario (%j) is told before anything is sent', async (content, message) => {
    const ran = await milkrun.run(['scenarios', 'load', file(content)]);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain(message);
    expect(service.seen).toEqual([]);
  });

  test('that breaks a rule of the service is told in its words', async () => {
    const ran = await milkrun.run(['scenarios', 'load', file({ ...scenario, nodes: [{ id: 'a', x: 'east', y: 0 }] })]);
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(ran.stderr).toContain('/nodes/0/x must be number');
    expect(operationsSeen()).not.toContain('scenarios.load');
  });

  test('that is not there is not taken for the id of a scenario', async () => {
    expect(await milkrun.run(['scenarios', 'load', 'nowhere/town.json'])).toMatchObject({ code: 2, stderr: 'milkrun: there is no file nowhere/town.json\n' });
  });
});

test('a stored scenario is loaded by its id', async () => {
  const ran = await milkrun.run(['scenarios', 'load', 'corner', '--json']);
  expect(operationsSeen()).toEqual(['scenarios.load']);
  expect(service.seen[0].body).toEqual({});
  expect(JSON.parse(ran.stdout)).toEqual({ scenario_id: 'corner', ...loaded });
});

test('what was there already and what got another id is told', async () => {
  service.on['scenarios.load'] = () => ({ body: { ...loaded, existing: { orders: 3, warehouses: 1, vehicles: 0, drivers: 0 }, renamed: { drivers: { 'driver-1': 'driver-1-2' } } } });
  const ran = await milkrun.run(['scenarios', 'load', 'corner']);
  expect(ran.stdout).toContain('There already, and left as they are: 3 orders, 1 warehouses, 0 vehicles, 0 drivers');
  expect(ran.stderr).toContain('the id driver-1 belongs to a deleted record; the sample is called driver-1-2 among the drivers');
});

test('a date that does not exist is wrong usage', async () => {
  expect(await milkrun.run(['scenarios', 'load', 'corner', '--anchor-date', '2026-02-30'])).toMatchObject({ code: 2 });
});
