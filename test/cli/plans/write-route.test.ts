import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { signedIn, type CommandLine } from '../command-line.ts';
import { planRoute } from '../records.ts';
import { startServiceDouble, type ServiceDouble } from '../service-double.ts';

let service: ServiceDouble;
let milkrun: CommandLine;
beforeAll(async () => { service = await startServiceDouble(); });
afterAll(() => service.close());
beforeEach(() => {
  service.seen.length = 0;
  service.on = { 'plans.route': ({ parameters }) => ({ body: planRoute(parameters.record_id) }) };
  milkrun = signedIn(service.url);
});

test.each([[[]], [['--json']]])('a route is written as GeoJSON %j', async (flags) => {
  const ran = await milkrun.run(['plans', 'route', 'p-1', ...flags]);
  expect(ran).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(ran.stdout)).toEqual(planRoute('p-1'));
});

test('into a file, and whose map it is from is said', async () => {
  const file = join(temporaryFolder(), 'monday.geojson');
  const ran = await milkrun.run(['plans', 'route', 'p-1', '--view', 'published', '-o', file]);
  expect(ran).toMatchObject({ code: 0, stdout: '', stderr: `${file}: the route of plan p-1, © OpenStreetMap contributors\n` });
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(planRoute('p-1'));
  expect(service.seen.map(({ query }) => query)).toEqual([{ view: 'published' }]);
});

test('a file that can not be written is said to be so', async () => {
  const file = join(temporaryFolder(), 'nowhere', 'monday.geojson');
  expect(await milkrun.run(['plans', 'route', 'p-1', '-o', file])).toMatchObject({ code: 2, stderr: expect.stringContaining('can not be written: ENOENT') });
});

test('where there are no roads, the service says what to do', async () => {
  service.on['plans.route'] = () => ({ status: 503, body: { error: { code: 'unavailable', message: 'the business has no road network: install a region' } } });
  const ran = await milkrun.run(['plans', 'route', 'p-1']);
  expect([ran.code, ran.stdout]).toEqual([8, '']);
  expect(ran.stderr).toContain('install a region');
});
