/**
 * Sends generated requests to a daemon and workers of its own, on a database of its own, and judges each answer by the OpenAPI
 * document that the daemon serves:
 *
 *     npm run --silent fuzz -- [--requests 100000] [--seed 1] [--lanes 3] [--together 1] [--world 17]
 *
 * A world is a business and the thousand requests that it gets. `--lanes` worlds run beside each other, `--world` runs one of them
 * again. With `--together` so many requests of one world are sent at once; what happens is then not the same twice.
 */
import { parseArgs } from 'node:util';
import { brokenJobs } from './broken-jobs.ts';
import { startProcesses } from './processes.ts';
import { fuzz, requestsOfWorld, type Failure } from './run.ts';
import { startTarget } from './webhook-target.ts';

const { values } = parseArgs({ options: { requests: { type: 'string', default: '100000' }, seed: { type: 'string', default: '1' }, lanes: { type: 'string', default: '3' }, together: { type: 'string', default: '1' }, world: { type: 'string' } } });
const say = (text: string): void => void process.stdout.write(`${text}\n`);
const target = await startTarget();
const service = await startProcesses();
const memoryBefore = service.residentMegabytes();
const startedMs = performance.now();
const seconds = (): number => Math.round((performance.now() - startedMs) / 1_000);

async function sayFailure({ place, problems, request, answer, requestId }: Failure): Promise<void> {
  say(`\nFAILED ${place}\n${problems.map((problem) => `  ${problem}\n`).join('')}${request}\n→ ${answer}\n${await service.logOf(requestId)}`);
}

let toldAt = 0;
const totals = await fuzz({
  url: service.url, webhookUrl: target.url, seed: Number(values.seed), lanes: Number(values.lanes), together: Number(values.together),
  ...(values.world === undefined ? { requests: Number(values.requests) } : { world: Number(values.world), requests: requestsOfWorld }),
  onFailure: sayFailure,
  onProgress({ requests }) {
    if (requests < toldAt + 5_000) return;
    toldAt = requests;
    say(`${requests} requests in ${seconds()} s; resident memory of the daemon ${service.residentMegabytes()} MB`);
  },
});
say(`\n${totals.told()}\n`);
say(`${seconds()} s; resident memory of the daemon ${memoryBefore} MB before, ${service.residentMegabytes()} MB after`);
const broken = await brokenJobs(service.databaseUrl);
for (const line of broken) say(line);
for (const [message, count] of service.bugs) say(`${count} × in the background: ${message}`);
await service.stop();
await target.close();
process.exitCode = totals.failures.size + broken.length + service.bugs.size === 0 ? 0 : 1;
