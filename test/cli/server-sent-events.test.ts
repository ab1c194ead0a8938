import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readEvents } from '../../cli/server-sent-events.ts';

async function* chunksOf(bytes: Uint8Array, cuts: readonly number[]): AsyncGenerator<Uint8Array> {
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).toSorted((one, other) => one - other), bytes.length];
  for (let at = 1; at < places.length; at += 1) yield bytes.subarray(places[at - 1], places[at]);
}

const read = async (text: string, cuts: readonly number[] = []) => Array.fromAsync(readEvents(chunksOf(new TextEncoder().encode(text), cuts)));

test('id, type and data are read; comments and unknown fields are not', async () => {
  expect(await read(': hello\n\nid: 7\nevent: progress\nretry: 10\ndata: {"a":\ndata: 1}\n\ndata:plain\n\n')).toEqual([
    { id: '7', type: 'progress', data: '{"a":\n1}' },
    { id: '7', type: 'message', data: 'plain' },
  ]);
});

test('an event that was not finished is none', async () => {
  expect(await read('data: whole\n\ndata: half\n')).toEqual([{ id: '', type: 'message', data: 'whole' }]);
});

test('where the network cuts the stream changes nothing, whatever the line ends are', async () => {
  const event = fc.record({ id: fc.stringMatching(/^[0-9]{1,3}$/), data: fc.array(fc.string({ unit: fc.constantFrom('a', ':', 'é', '€', '😀'), minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 3 }) });
  await fc.assert(fc.asyncProperty(fc.array(event, { maxLength: 4 }), fc.constantFrom('\n', '\r\n', '\r'), fc.array(fc.nat(200), { maxLength: 8 }), async (events, end, cuts) => {
    const text = events.map(({ id, data }) => [`id: ${id}`, 'event: progress', ...data.map((line) => `data: ${line}`), '', ''].join(end)).join('');
    expect(await read(text, cuts)).toEqual(events.map(({ id, data }) => ({ id, type: 'progress', data: data.join('\n') })));
  }));
});
