import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ApiError } from '../../core/contract/errors.ts';
import { ByteArrayScanner } from '../../daemon/byte-array-scanner.ts';

/** What a request with this text brings, as it comes in pieces of these sizes (the last one again and again). */
function read(text: string, sizes: number[] = [text.length]): { value: unknown; bytes: number[] | null } {
  const scanner = new ByteArrayScanner('bytes');
  const whole = Buffer.from(text);
  for (let at = 0, piece = 0; at < whole.length; piece++) {
    const size = sizes[Math.min(piece, sizes.length - 1)];
    scanner.push(whole.subarray(at, at + size));
    at += size;
  }
  const { rest, bytes } = scanner.end();
  return { value: JSON.parse(rest.toString()), bytes: bytes && [...bytes] };
}

const refusal = (text: string): [number, string] | null => {
  try {
    read(text, [3]);
    return null;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return [error.status, error.message];
  }
};

test('the array is taken out, and an empty one stands in its place', () => {
  expect(read('{"kind":"photo","bytes":[137,80,0,255],"more":[1]}')).toEqual({ value: { kind: 'photo', bytes: [], more: [1] }, bytes: [137, 80, 0, 255] });
  expect(read('{"bytes":[]}')).toEqual({ value: { bytes: [] }, bytes: [] });
  expect(read(' { "bytes" :\n[ 1 ,\t2\r\n, 3 ] } ')).toEqual({ value: { bytes: [] }, bytes: [1, 2, 3] });
});

test('only the field at the top of the body is meant', () => {
  const others = [
    '{"a":{"bytes":[1,2]}}', '[{"bytes":[1]}]', '["bytes",[1]]', '{"a":"bytes","b":[1]}', '{"a":["bytes",[1]]}', '{"bytes":"[1]"}', '{"bytes":{"0":1}}', '{"bytes":null}',
    '{"xbytes":[1]}', '{"bytesx":[1]}', '{"a":"\\"bytes\\":[1]"}', '{"a":"\\\\","b":[1]}', '{"\\u0062ytes":[1]}', '{"b\\"ytes":[1]}', '"bytes"', '7', '{}',
  ];
  for (const text of others) expect([text, read(text, [2])]).toEqual([text, { value: JSON.parse(text), bytes: null }]);
});

test('of two arrays under one name the last counts, as with JSON', () => {
  expect(read('{"bytes":[1,2],"bytes":[3]}')).toEqual({ value: { bytes: [] }, bytes: [3] });
});

describe('what is no array of bytes', () => {
  test.each([['256', 1], ['-1', 1], ['1.5', 1], ['1e2', 1], ['"1"', 1], ['null', 1], ['[1]', 1], ['{}', 1], ['99999999999999999999', 1]])('%s is told with its place', (item, index) => {
    expect(refusal(`{"bytes":[7,${item},8],"kind":"photo"}`)).toEqual([422, `/bytes/${index} must be an integer from 0 to 255`]);
  });

  test.each(['{"bytes":[1,,2]}', '{"bytes":[,1]}', '{"bytes":[1,]}', '{"bytes":[01]}', '{"bytes":[00]}', '{"bytes":[1 2]}', '{"bytes":[1', '{"bytes":[', '{"bytes":[1,'])('%s is no JSON', (text) => {
    expect(refusal(text)).toEqual([400, expect.stringContaining('the body is not JSON')]);
  });

  test('everything around the array has the size of an ordinary body', () => {
    const padding = 'x'.repeat(1024 * 1024);
    expect(refusal(`{"a":"${padding}","bytes":[1]}`)?.[0]).toBe(413);
    expect(refusal(`{"\\u0062ytes":[${'1,'.repeat(600_000)}1]}`)?.[0]).toBe(413);
  });
});

test('whatever surrounds it and however it is cut, nothing is lost', () => {
  const space = fc.stringMatching(/^[ \t\r\n]{0,2}$/);
  const fields = fc.dictionary(fc.string().filter((key) => key !== 'bytes' && key !== '__proto__'), fc.jsonValue(), { maxKeys: 4 });
  const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 10 });
  fc.assert(fc.property(fields, fc.array(fc.integer({ min: 0, max: 255 }), { maxLength: 300 }), fc.array(space, { minLength: 3, maxLength: 3 }), fields, sizes, (before, bytes, [a, b, c], after, pieces) => {
    const inner = (object: object) => JSON.stringify(object).slice(1, -1);
    const array = `"bytes"${a}:${b}[${bytes.join(`${c},${a}`)}]`;
    const text = `{${[inner(before), array, inner(after)].filter(Boolean).join(',')}}`;
    const plain = JSON.parse(text) as Record<string, unknown>;
    expect(read(text, pieces)).toEqual({ value: { ...plain, bytes: [] }, bytes: plain.bytes });
  }), { numRuns: 300 });
});

test('an array of a million items is whole', () => {
  const bytes = Buffer.alloc(1_000_000, Buffer.from(Array.from({ length: 251 }, (_, index) => index)));
  expect(Buffer.from(read(`{"bytes":${JSON.stringify([...bytes])}}`, [65_536]).bytes!).equals(bytes)).toBe(true);
});
