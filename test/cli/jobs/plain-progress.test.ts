import { expect, test } from '@jest/globals';
import type { Job } from '../../../cli/jobs/job.ts';
import { plainProgress } from '../../../cli/jobs/plain-progress.ts';
import { jobRecord } from '../records.ts';

test('a line for each phase, and for a better plan only now and then', () => {
  let nowMs = 0;
  const lines: string[] = [];
  const view = plainProgress({ note: (text) => { lines.push(text); }, clock: { nowMs: () => nowMs, sleep: async () => {} } });
  const show = (phase: string, planned?: number) => {
    const best = planned === undefined ? null : { planned };
    view.show(jobRecord('j', { progress: { fraction: 0.256, phase, message: '', elapsed_seconds: nowMs / 1000, best } }) as unknown as Job);
  };
  show('roads');
  show('roads');
  show('solve', 1);
  show('solve', 2);
  nowMs = 2_500;
  show('solve', 3);
  show('solve', 3);
  expect(lines).toEqual(['0.0 s  25 %  running: roads', '0.0 s  25 %  running: solve  1 planned', '2.5 s  25 %  running: solve  3 planned']);
});
