import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { identify, type RequestParts } from '../../../core/idempotency/identify.ts';
import { seal, unseal } from '../../../core/idempotency/seal.ts';

const parts: RequestParts = { key: 'k', sender: 'key 1', token: 'mk_1', method: 'POST', path: '/a', query: '', bodyDigest: Buffer.from('{}') };

test('sender, route and key say which request it is, query and body what is in it', () => {
  const request = identify(parts);
  for (const other of [{ key: 'l' }, { sender: 'key 2' }, { method: 'PUT' }, { path: '/b' }]) expect(identify({ ...parts, ...other }).id).not.toBe(request.id);
  for (const other of [{ query: 'a=1' }, { bodyDigest: Buffer.from('{ }') }]) {
    expect(identify({ ...parts, ...other }).id).toBe(request.id);
    expect(identify({ ...parts, ...other }).fingerprint).not.toBe(request.fingerprint);
  }
});

test('parts that run together are told apart', () => {
  expect(identify({ ...parts, path: '/a', key: 'b c' }).id).not.toBe(identify({ ...parts, path: '/a b', key: 'c' }).id);
});

test('only the same request opens its answer', () => {
  fc.assert(fc.property(fc.string(), (text) => {
    expect(unseal(seal(text, identify(parts).sealingKey), identify(parts).sealingKey)).toBe(text);
  }));
  const sealed = seal('secret', identify(parts).sealingKey);
  for (const other of [{ key: 'l' }, { token: 'mk_2' }, { bodyDigest: Buffer.from('[]') }]) expect(() => unseal(sealed, identify({ ...parts, ...other }).sealingKey)).toThrow(/authenticate/);
  expect(sealed.equals(seal('secret', identify(parts).sealingKey))).toBe(false);
});
