import { describe, expect, test } from '@jest/globals';
import { renderToString } from 'ink';
import { createElement } from 'react';
import type { Job } from '../../../cli/jobs/job.ts';
import { Progress, type LiveState } from '../../../cli/jobs/live-progress.ts';
import { jobRecord } from '../records.ts';

const state = (progress: object, more: Partial<LiveState> = {}, fields: object = {}): LiveState => ({
  job: jobRecord('j', { ...fields, progress: { fraction: 0.5, phase: 'solve', message: '', ...progress } }) as unknown as Job, said: '', sinceSeconds: 0, ...more,
});
const draw = (what: LiveState) => renderToString(createElement(Progress, { state: what, hasColour: false }), { columns: 100 });

describe('the live view', () => {
  test('shows bar, share, time and phase', () => {
    expect(draw(state({ elapsed_seconds: 61 }))).toBe(`${'█'.repeat(15)}${'░'.repeat(15)} 50 %  1:01  running: solve`);
  });

  test('shows the best so far and how it came down', () => {
    const best = { planned: 51, unplanned: 9, travel_seconds: 11_520, travel_meters: 184_200, iterations: 12_345 };
    const seen = [[50, 9_000], [51, 14_000], [51, 12_000], [51, 11_520]].map(([planned, travel], nth) => ({ ...best, planned, travel_seconds: travel, elapsed_seconds: nth }));
    const lines = draw(state({ best }, {}, { best_over_time: seen })).split('\n');
    expect(lines[1]).toBe('best so far: 51 planned, 9 unplanned, 3 h 12 of travel, 184.2 km  (12\u202f345 iterations)');
    expect(lines[2]).toBe('travel █▂▁');
  });

  test('counts the bytes of a download', () => {
    const text = draw(state({ phase: 'download', bytes_done: 1_234_567, bytes_total: 3_861_052 }));
    expect(text.split('\n')[1]).toBe('1.2 MB of 3.9 MB');
    expect(draw(state({ phase: 'download', bytes_done: 999 })).split('\n')[1]).toBe('999 bytes');
  });

  test('lets the clock go on between two events, and says what it has to say', () => {
    const text = draw(state({ elapsed_seconds: 10, message: 'a \u001b[31mname' }, { sinceSeconds: 5.4, said: 'asked to cancel' }));
    expect(text).toContain('0:15');
    expect(text).toContain('a \\u001b[31mname');
    expect(text).toContain('asked to cancel');
  });

  test('before the first event it waits', () => {
    expect(draw({ job: null, said: '', sinceSeconds: 0 })).toBe('waiting for the job…');
  });
});
