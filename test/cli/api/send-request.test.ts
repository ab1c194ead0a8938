import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { businessId, signedIn, type CommandLine } from '../command-line.ts';
import { jobRecord, page, vehicleRecord } from '../records.ts';
import { startServiceDouble, type ServiceDouble } from '../service-double.ts';

let service: ServiceDouble;
let milkrun: CommandLine;
beforeAll(async () => { service = await startServiceDouble(); });
afterAll(() => service.close());
beforeEach(() => {
  service.seen.length = 0;
  service.on = {};
  milkrun = signedIn(service.url);
});

test('{id} is the business; query and headers go along; the answer is written as it is', async () => {
  service.on['vehicles.list'] = () => ({ body: page([vehicleRecord('v')]) });
  const ran = await milkrun.run(['api', 'get', '/api/v1/businesses/{id}/vehicles?limit=5', '-q', 'q=a=b c', '-H', 'X-Test: 1', '--include']);
  expect(JSON.parse(ran.stdout)).toEqual(page([vehicleRecord('v')]));
  expect(ran.stderr).toMatch(/^200 OK\n/);
  expect(service.seen[0]).toMatchObject({ parameters: { id: businessId }, query: { limit: '5', q: 'a=b c' }, headers: { 'x-test': '1' } });
});

test('a body comes from flag or standard input', async () => {
  service.on['vehicles.update'] = ({ body }) => ({ body: vehicleRecord('v', body) });
  const ran = await milkrun.run(['api', 'PATCH', '/api/v1/businesses/{id}/vehicles/v', '--data', '-'], { stdin: '{"name":"N"}' });
  expect(JSON.parse(ran.stdout).name).toBe('N');
});

test('a refusal is written too, and the exit code tells it', async () => {
  const ran = await milkrun.run(['api', 'GET', '/api/v1/businesses/{id}/vehicles/none']);
  expect(ran.code).toBe(5);
  expect(JSON.parse(ran.stdout)).toMatchObject({ error: { code: 'not_found' } });
  expect(ran.stderr).toContain('milkrun: nothing here');
});

test('an event stream is written as it comes', async () => {
  service.on['jobs.events'] = (_seen, response) => { response.writeHead(200, { 'content-type': 'text/event-stream' }).end(`id: 1\ndata: ${JSON.stringify(jobRecord('j'))}\n\n`); };
  expect((await milkrun.run(['api', 'GET', '/api/v1/businesses/{id}/jobs/j/events'])).stdout).toMatch(/^id: 1\ndata: \{/);
});

test.each([
  [['api', 'FETCH', '/x'], 'is no method'],
  [['api', 'GET', 'x'], 'must begin with /'],
  [['api', 'GET', '/x/{vehicle}'], '{vehicle} in the path has no value'],
  [['api', 'GET', '/x', '-q', 'limit'], 'must look like name=value'],
])('%j is wrong usage', async (argv, message) => {
  const ran = await milkrun.run(argv);
  expect(ran).toMatchObject({ code: 2, stdout: '' });
  expect(ran.stderr).toContain(message);
});
