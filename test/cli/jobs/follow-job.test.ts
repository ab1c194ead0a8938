import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { ServerResponse } from 'node:http';
import { createClient } from '../../../cli/client.ts';
import { followJob } from '../../../cli/jobs/follow-job.ts';
import type { Job } from '../../../cli/jobs/job.ts';
import { jobRecord } from '../records.ts';
import { startServiceDouble, type Seen, type ServiceDouble } from '../service-double.ts';

const path = '/api/v1/businesses/b/jobs/j';
const clock = { nowMs: () => 0, sleep: async () => {} };

let service: ServiceDouble;
beforeAll(async () => { service = await startServiceDouble(); });
afterAll(() => service.close());
beforeEach(() => {
  service.on = {};
  service.seen.length = 0;
});

const follow = async (signal?: AbortSignal): Promise<Job[]> =>
  Array.fromAsync(followJob({ client: createClient({ url: service.url, timeoutMs: 5_000, clock }), clock, path, signal }));

const event = (id: number, type: string, job: object) => `id: ${id}\nevent: ${type}\ndata: ${JSON.stringify(job)}\n\n`;
const done = jobRecord('j', { status: 'completed' });

/** Each connection gets the next of these streams; `cut` breaks the connection instead of ending it. */
function serveStreams(...streams: { text: string; isCut?: boolean }[]): void {
  let connection = 0;
  service.on['jobs.events'] = (_seen: Seen, response: ServerResponse) => {
    const { text, isCut } = streams[Math.min(connection, streams.length - 1)];
    connection += 1;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    if (!isCut) return void response.end(text);
    response.write(text, () => { setTimeout(() => { response.destroy(); }, 20); });
  };
}

const eventIds = () => service.seen.filter(({ operation }) => operation === 'jobs.events').map(({ headers }) => headers['last-event-id']);

test('the states of a job come one after the other, and it ends with the job', async () => {
  serveStreams({ text: `: hello\n\n${event(1, 'progress', jobRecord('j'))}${event(2, 'completed', done)}${event(3, 'progress', jobRecord('j'))}` });
  expect((await follow()).map(({ status }) => status)).toEqual(['running', 'completed']);
});

describe('a stream that breaks off', () => {
  test('is taken up again after the last event that was seen', async () => {
    serveStreams({ text: event(1, 'progress', jobRecord('j')) + event(2, 'progress', jobRecord('j')), isCut: true }, { text: event(3, 'completed', done) });
    expect((await follow()).map(({ status }) => status)).toEqual(['running', 'running', 'completed']);
    expect(eventIds()).toEqual([undefined, '2']);
  });

  test('without the end of the job is completed by reading the job', async () => {
    serveStreams({ text: event(1, 'progress', jobRecord('j')) });
    service.on['jobs.get'] = () => ({ body: jobRecord('j', { status: 'failed', error: { code: 'conflict', message: 'm' } }) });
    expect((await follow()).map(({ status }) => status)).toEqual(['running', 'failed']);
  });

  test('is borne while the service restarts', async () => {
    let calls = 0;
    service.on['jobs.events'] = (_seen, response) => {
      calls += 1;
      if (calls < 4) return { status: 503, body: { error: { code: 'unavailable', message: 'draining' } } };
      response.writeHead(200).end(event(1, 'completed', done));
    };
    expect((await follow()).map(({ status }) => status)).toEqual(['completed']);
  });

  test('again and again ends with the word that the service is gone', async () => {
    serveStreams({ text: ': nothing\n\n' });
    service.on['jobs.get'] = () => ({ body: jobRecord('j') });
    await expect(follow()).rejects.toThrow('breaks off again and again');
  });
});

test('a job that is not there is an error at once', async () => {
  await expect(follow()).rejects.toMatchObject({ status: 404 });
  expect(service.seen).toHaveLength(1);
});

test('leaving ends the stream', async () => {
  const leaving = new AbortController();
  service.on['jobs.events'] = (_seen, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(event(1, 'progress', jobRecord('j')));
  };
  const seen: Job[] = [];
  const client = createClient({ url: service.url, timeoutMs: 5_000, clock });
  for await (const job of followJob({ client, clock, path, signal: leaving.signal })) {
    seen.push(job);
    leaving.abort();
  }
  expect(seen).toHaveLength(1);
});
