import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { signedIn, type CommandLine } from '../command-line.ts';
import { jobRecord, page, planningResult, vehicleRecord } from '../records.ts';
import { startServiceDouble, type ServiceDouble } from '../service-double.ts';

const jobId = '0198c1a2-0000-7000-8000-00000000000a';
const unplanned = [{ order_id: 'o-2', reason: 'window_too_tight', proved: true, detail: 'fits V3 if the window ends 11 min later' }];

let service: ServiceDouble;
let milkrun: CommandLine;
beforeAll(async () => { service = await startServiceDouble(); });
afterAll(() => service.close());
beforeEach(() => {
  service.seen.length = 0;
  service.on = {
    'vehicles.list': () => ({ body: page([vehicleRecord('van-1'), vehicleRecord('van-2')]) }),
    'planning.preview': () => ({ body: { job_id: jobId, status: 'queued' } }),
  };
  milkrun = signedIn(service.url);
});

const write = (response: ServerResponse, job: object, id: number) => { response.write(`id: ${id}\nevent: progress\ndata: ${JSON.stringify(job)}\n\n`); };
function endWith(last: Record<string, unknown>): void {
  service.on['jobs.events'] = (_seen, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    write(response, jobRecord(jobId), 1);
    write(response, jobRecord(jobId, last), 2);
    response.end();
  };
}

const preview = ['plans', 'preview', '--all-vehicles', '--from', '2026-03-02'];

describe('the request', () => {
  test('is for the vehicles and dates that were named, with what was asked for and nothing else', async () => {
    await milkrun.run(['plans', 'preview', '--vehicles', 'van-1,van-2', '--from', '2026-03-02', '--to', '2026-03-04', '--dates', '2026-03-02,2026-03-04', '--seed', '7', '--iterations', '500', '--include-planned', '--schedule-lock', '--objectives', 'travel,completed_tasks']);
    expect(service.seen[0].body).toEqual({
      vehicle_ids: ['van-1', 'van-2'], date_start: '2026-03-02', date_end: '2026-03-04', dates: ['2026-03-02', '2026-03-04'], seed: 7, max_iterations: 500,
      include_planned: true, schedule_lock: true, objectives: ['travel', 'completed_tasks'],
    });
  });

  test('for all vehicles and one date', async () => {
    const ran = await milkrun.run(preview);
    expect(service.seen.at(-1)!.body).toEqual({ vehicle_ids: ['van-1', 'van-2'], date_start: '2026-03-02', date_end: '2026-03-02' });
    expect(ran).toMatchObject({ code: 0, stdout: `${jobId}\n` });
  });

  test.each([
    [['plans', 'preview', '--from', '2026-03-02'], 'which vehicles?'],
    [[...preview, '--vehicles', 'a'], 'contradict'],
    [['plans', 'preview', '--all-vehicles'], '--from'],
    [['plans', 'preview', '--all-vehicles', '--from', 'tomorrow'], 'is not a date'],
    [[...preview, '--objectives', 'speed'], 'has no "speed"'],
    [[...preview, '--seed', '1.5'], 'is not a whole number'],
  ])('%j is wrong usage', async (argv, message) => {
    const ran = await milkrun.run(argv);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain(message);
    expect(service.seen.filter(({ operation }) => operation === 'planning.preview')).toEqual([]);
  });

  test('a business without vehicles is told', async () => {
    service.on['vehicles.list'] = () => ({ body: page([]) });
    expect((await milkrun.run(preview)).stderr).toContain('no vehicles');
  });
});

describe('waiting', () => {
  test('ends with the result and every unplanned order with its reason', async () => {
    endWith({ status: 'completed', result: planningResult({ unplanned }) });
    const ran = await milkrun.run([...preview, '--wait']);
    expect(ran.code).toBe(0);
    expect(ran.stdout).toBe([
      '1 planned, 1 unplanned; 1 plans for 1 vehicles', '20 min of travel (10.0 km), 18 min of service, 2 min of waiting', '500 iterations in 0.5 s', '',
      'Unplanned', 'order  reason            proved  detail', 'o-2    window too tight  yes     fits V3 if the window ends 11 min later', '',
    ].join('\n'));
    expect(ran.stderr).toContain('50 %  running: solve');
  });

  test('draws how the travel of the best plan came down, and says that somebody ended the search', async () => {
    const seen = [3_600, 1_800, 1_200].map((travel, nth) => ({ elapsed_seconds: nth, planned: 1, unplanned: 0, travel_seconds: travel, travel_meters: 0, iterations: nth }));
    endWith({ status: 'completed', result: planningResult({ stopped_early: true }), best_over_time: seen });
    const lines = (await milkrun.run([...preview, '--wait'])).stdout.split('\n');
    expect(lines.slice(2, 4)).toEqual(['500 iterations in 0.5 s, stopped early', 'travel █▃▁ 1 h 00 → 20 min']);
  });

  test('--json prints the job', async () => {
    endWith({ status: 'completed', result: planningResult() });
    expect(JSON.parse((await milkrun.run([...preview, '--wait', '--json'])).stdout)).toMatchObject({ id: jobId, status: 'completed', result: { planned: 1 } });
  });

  test.each([
    ['failed', 3, 'the job has failed: no roads (unavailable)'],
    ['cancelled', 4, 'the job was cancelled'],
  ])('for a job that is %s ends with %d', async (status, code, message) => {
    endWith({ status, error: status === 'failed' ? { code: 'unavailable', message: 'no roads' } : null });
    const ran = await milkrun.run([...preview, '--wait']);
    expect(ran).toMatchObject({ code, stdout: '' });
    expect(ran.stderr).toContain(message);
  });
});

describe('Ctrl-C', () => {
  /** Says that it runs, and ends as cancelled when it is asked to, if ever. */
  function runUntilCancelled(onCancel?: () => void): void {
    let stream: ServerResponse;
    service.on['jobs.events'] = (_seen, response) => {
      stream = response;
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      write(response, jobRecord(jobId), 1);
    };
    service.on['jobs.cancel'] = () => {
      if (onCancel) onCancel();
      else stream.end(`id: 2\ndata: ${JSON.stringify(jobRecord(jobId, { status: 'cancelled' }))}\n\n`);
      return { body: jobRecord(jobId) };
    };
  }

  test('asks to cancel the job and waits until it has ended', async () => {
    runUntilCancelled();
    const ran = await milkrun.run([...preview, '--wait'], { onNote: (text, interrupt) => { if (text.includes('running')) interrupt(); } });
    expect(ran.code).toBe(4);
    expect(service.seen.filter(({ operation }) => operation === 'jobs.cancel')).toHaveLength(1);
  });

  test('a second time leaves it alone', async () => {
    let pressAgain = () => {};
    runUntilCancelled(() => { pressAgain(); });
    const ran = await milkrun.run([...preview, '--wait'], {
      onNote(text, interrupt) {
        pressAgain = interrupt;
        if (text.includes('running')) interrupt();
      },
    });
    expect(ran.code).toBe(130);
    expect(ran.stderr).toContain(`milkrun jobs get ${jobId}`);
  });

  test('only stops following where the job is tailed', async () => {
    runUntilCancelled();
    const ran = await milkrun.run(['jobs', 'tail', jobId], { onNote: (text, interrupt) => { if (text.includes('running')) interrupt(); } });
    expect(ran.code).toBe(130);
    expect(service.seen.map(({ operation }) => operation)).toEqual(['jobs.events']);
  });
});

test('jobs tail follows any job to its end', async () => {
  endWith({ status: 'completed', kind: 'region_install', result: { version: 'v1' } });
  expect(await milkrun.run(['jobs', 'tail', jobId])).toMatchObject({ code: 0, stdout: '' });
  service.on = {};
  expect(await milkrun.run(['jobs', 'tail', 'gone'])).toMatchObject({ code: 5 });
});
