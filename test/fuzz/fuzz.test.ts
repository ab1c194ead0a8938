import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startService, type TestService } from '../support/service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { brokenJobs } from './broken-jobs.ts';
import { fuzzEnvironment } from './processes.ts';
import { fuzz, type Failure } from './run.ts';
import { startTarget } from './webhook-target.ts';

let service: TestService;
let target: Awaited<ReturnType<typeof startTarget>>;
beforeAll(async () => {
  target = await startTarget();
  service = await startService({ workers: true, env: { ...fuzzEnvironment, MILKRUN_MAP_SOURCE: temporaryFolder() } });
});
afterAll(async () => {
  await service.close();
  await target.close();
});

/** What can not succeed: plans are made by planning and publication only, and a body that is right is refused (spec 4.5). */
const refused = ['plans.create', 'plans.replace', 'plans.update'];

test('three thousand generated requests are answered as the document says, and every operation succeeds among them', async () => {
  const failures: Failure[] = [];
  const totals = await fuzz({ url: service.url, webhookUrl: target.url, requests: 3_000, seed: 1, lanes: 2, together: 1, onFailure: (failure) => void failures.push(failure) });
  expect(failures).toEqual([]);
  expect(totals.requests).toBe(3_000);
  expect(totals.neverDone().toSorted()).toEqual(refused);
  // Nothing but a missing road network is reason enough for a 503 here.
  expect([...totals.unavailable.keys()].filter((message) => !message.includes('no road network'))).toEqual([]);
  expect(await brokenJobs(service.databaseUrl)).toEqual([]);
}, 300_000);
