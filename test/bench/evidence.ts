/** How long the event loop stands still while a request full of bytes comes in: taken out on arrival, and read like any other body. */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { isMainThread, Worker, workerData } from 'node:worker_threads';
import { bodyLimits, type Operation } from '../../core/contract/operation.ts';
import { evidenceOperations } from '../../core/evidence/operations.ts';
import { readJson } from '../../daemon/body.ts';
import { validatorOf } from '../../daemon/validation.ts';

const upload: Operation = evidenceOperations[0];
const validator = validatorOf(upload);
const rounds = 3;

if (isMainThread) await measure();
else await send(workerData as string);

async function measure(): Promise<void> {
  const server = createServer(async (request, response) => {
    const mode = request.url!.slice(1);
    const pause = watchPauses();
    const startedMs = performance.now();
    const body = await readJson(request, { limitBytes: bodyLimits.evidence, ...(mode === 'taken_out' ? { byteArray: upload.byteArray } : {}) });
    validator.body!(body!);
    const readMs = performance.now() - startedMs;
    console.log(JSON.stringify({ case: mode, body_mib: Math.round(body!.sizeBytes / 1_048_576), read_ms: Math.round(readMs), longest_pause_ms: Math.round(await pause.end()) }));
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const sender = new Worker(new URL(import.meta.url), { workerData: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
  await new Promise((resolve) => sender.once('exit', resolve));
  server.close();
}

/** The longest time between two ticks of a timer that wants to tick every millisecond. */
function watchPauses(): { end(): Promise<number> } {
  let lastMs = performance.now();
  let longestMs = 0;
  const timer = setInterval(() => {
    const nowMs = performance.now();
    longestMs = Math.max(longestMs, nowMs - lastMs);
    lastMs = nowMs;
  }, 1);
  return {
    async end() {
      await sleep(5);
      clearInterval(timer);
      return longestMs;
    },
  };
}

async function send(url: string): Promise<void> {
  const head = '{"kind":"photo","content_type":"image/jpeg","bytes":[';
  const items = '137,80,7,'.repeat(Math.floor((bodyLimits.evidence - head.length - 10) / 9));
  for (const mode of ['taken_out', 'read_whole']) {
    for (let round = 0; round < rounds; round++) await fetch(`${url}/${mode}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: `${head}${items}7]}` });
  }
}
