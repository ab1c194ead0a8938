import fc from 'fast-check';
import type { Act } from '../act.ts';

const minuteMs = 60_000;

/** Time passes: reservations expire, shifts begin and end, positions become old. */
export const letTimePass: fc.Arbitrary<Act> = fc.constantFrom(4, 20, 60, 200, 400, 540).map((minutes) => (model) => ({
  text: `let ${minutes} minutes pass`,
  async send(real) {
    const nowMs = model.nowMs + minutes * minuteMs;
    real.clock.set(nowMs);
    return [(now) => void (now.nowMs = nowMs)];
  },
}));
