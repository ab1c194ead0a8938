import type fc from 'fast-check';
import { sendRequest, type Act } from '../act.ts';
import { agree, same } from '../state.ts';

let keys = 0;

/** Sends a POST twice with the same Idempotency-Key: it has one effect, and the same answer twice. A refusal leaves the key free. */
export const again = (acts: fc.Arbitrary<Act>): fc.Arbitrary<Act> => acts.map((act) => (model) => {
  const prepared = act(model);
  if (prepared?.request?.method !== 'POST') return null;
  const { request } = prepared;
  return {
    text: `${prepared.text}, and again with the same key`,
    async send(real) {
      const key = { 'idempotency-key': `key-${keys++}` };
      const first = await sendRequest(real, request, key);
      const second = await sendRequest(real, request, key);
      same('the status of the second answer', second.status, first.status);
      if (first.status >= 300) return [...request.steps(first, real), ...request.steps(second, real)];
      agree(second.headers.get('idempotent-replayed') === 'true', () => 'the second answer is not said to be replayed');
      same('the second answer', second.text, first.text);
      return request.steps(first, real);
    },
  };
});
