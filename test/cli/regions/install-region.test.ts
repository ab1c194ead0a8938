import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { exitCodes } from '../../../cli/exit-codes.ts';
import { signedIn, type CommandLine } from '../command-line.ts';
import { jobRecord } from '../records.ts';
import { startServiceDouble, type ServiceDouble } from '../service-double.ts';

const jobId = '0198c1a2-0000-7000-8000-00000000000a';
const result = {
  outcome: 'installed', dataset_version: '20260404-b-7f3a91c04e2d', engine: 'engine_b',
  source: { address: 'https://maps.example/malta.osm.pbf', size_bytes: 3_861_052, sha256: 'a'.repeat(64), map_date: '2026-04-04' }, facts: { nodes: 83_288, edges: 41_296, bytes: 5_450_776 },
};

let service: ServiceDouble;
let milkrun: CommandLine;
beforeAll(async () => { service = await startServiceDouble(); });
afterAll(() => service.close());
beforeEach(() => {
  service.seen.length = 0;
  service.on = { 'regions.install': () => ({ status: 202, body: { job_id: jobId, status: 'queued' } }) };
  milkrun = signedIn(service.url);
});

const write = (response: ServerResponse, type: string, job: object, id: number) => { response.write(`id: ${id}\nevent: ${type}\ndata: ${JSON.stringify(job)}\n\n`); };
function endWith(last: Record<string, unknown>): void {
  service.on['jobs.events'] = (_seen, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    write(response, 'progress', jobRecord(jobId, { kind: 'region_install', progress: { fraction: 0.1, phase: 'download', message: '1.2 MB', elapsed_seconds: 1, bytes_done: 1_200_000, bytes_total: 3_861_052 } }), 1);
    write(response, 'progress', jobRecord(jobId, { kind: 'region_install', progress: { fraction: 0.6, phase: 'build', message: 'building the roads: car', elapsed_seconds: 3 } }), 2);
    write(response, String(last.status), jobRecord(jobId, { kind: 'region_install', ...last }), 3);
    response.end();
  };
}

test('the job is told, and how to follow it', async () => {
  const ran = await milkrun.run(['regions', 'install', 'europe/malta']);
  expect(ran).toMatchObject({ code: 0, stdout: `${jobId}\n` });
  expect(ran.stderr).toContain(`milkrun jobs tail ${jobId}`);
  expect(service.seen[0].parameters.record_id).toBe('europe/malta');
  expect(JSON.parse((await milkrun.run(['regions', 'install', 'malta', '--json'])).stdout)).toEqual({ job_id: jobId, status: 'queued' });
});

test('--wait shows phases and bytes, and what came of it', async () => {
  endWith({ status: 'completed', result });
  const ran = await milkrun.run(['regions', 'install', 'malta', '--wait']);
  expect(ran.code).toBe(0);
  expect(ran.stderr).toContain('running: download  1.2 MB of 3.9 MB');
  expect(ran.stderr).toContain('running: build');
  expect(ran.stdout).toBe('installed 20260404-b-7f3a91c04e2d for engine_b, 83\u202f288 nodes and 41\u202f296 edges in 5.5 MB\nfrom the map https://maps.example/malta.osm.pbf of 2026-04-04 (3.9 MB)\n');
});

test('what new roads change in plans is told plan by plan', async () => {
  const drift = { plans_compared: 12, legs_max: 5_000, changed: [{ plan_id: 'p', vehicle_id: 'van-1', date: '2026-04-06', seconds_before: 3_600, seconds_after: 5_400, unreachable_legs: 1 }] };
  endWith({ status: 'completed', result: { ...result, drift } });
  const told = (await milkrun.run(['regions', 'install', 'malta', '--wait'])).stdout;
  expect(told).toContain('\n12 plans from today on: 1 with other travel; plan again where that matters\n  van-1 on 2026-04-06: 1 h 00 → 1 h 30 of travel, 1 leg without a way\n');
  endWith({ status: 'completed', result: { ...result, drift: { ...drift, changed: [] } } });
  expect((await milkrun.run(['regions', 'install', 'malta', '--wait'])).stdout).toMatch(/\n12 plans from today on: travel much as before\n$/);
});

test('a map that has not changed is told', async () => {
  endWith({ status: 'completed', result: { ...result, outcome: 'unchanged' } });
  expect((await milkrun.run(['regions', 'install', 'malta', '--wait'])).stdout).toMatch(/^unchanged: the map .* is installed already, as 20260404-b-7f3a91c04e2d\n$/);
});

test('a failure says why, and the exit code tells', async () => {
  endWith({ status: 'failed', error: { code: 'unavailable', message: 'The map server has no map at https://maps.example/malta.osm.pbf (404).' } });
  const ran = await milkrun.run(['regions', 'install', 'malta', '--wait']);
  expect(ran.code).toBe(exitCodes.jobFailed);
  expect(ran.stderr).toContain('the job has failed: The map server has no map');
});

test('Ctrl-C stops following, and the job goes on', async () => {
  service.on['jobs.events'] = (_seen, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    write(response, 'progress', jobRecord(jobId, { status: 'running', kind: 'region_install' }), 1);
  };
  const ran = await milkrun.run(['regions', 'install', 'malta', '--wait'], { onNote: (text, interrupt) => { if (text.includes('running')) interrupt(); } });
  expect(ran.code).toBe(exitCodes.interrupted);
  expect(service.seen.map(({ operation }) => operation)).toEqual(['regions.install', 'jobs.events']);
});
