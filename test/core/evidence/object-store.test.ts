import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { openObjectStore, type ObjectStore } from '../../../core/evidence/object-store.ts';
import { accessKey, startS3Server, type S3Server } from '../../support/s3-server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let s3: S3Server;
const before = { ...process.env };
beforeAll(async () => {
  s3 = await startS3Server();
  Object.assign(process.env, { AWS_ACCESS_KEY_ID: accessKey, AWS_SECRET_ACCESS_KEY: 'secret', AWS_REGION: 'eu-test-1', AWS_ENDPOINT_URL_S3: s3.url });
});
afterAll(async () => {
  for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_REGION', 'AWS_ENDPOINT_URL_S3']) {
    if (before[name] === undefined) delete process.env[name];
    else process.env[name] = before[name];
  }
  await s3.close();
});
beforeEach(() => {
  s3.objects.clear();
  s3.failWith = null;
});

const keysOf = async (store: ObjectStore): Promise<string[]> => (await Array.fromAsync(store.list())).map(({ key }) => key).toSorted();
const bytesOf = async (store: ObjectStore, key: string): Promise<Buffer | null> => {
  const stream = await store.read(key);
  return stream && buffer(stream);
};

describe.each(['files', 's3'])('%s', (kind) => {
  let store: ObjectStore;
  beforeEach(() => {
    store = openObjectStore(kind === 'files' ? join(temporaryFolder(), 'evidence') : 's3://pictures/of/milkrun');
  });

  test('what was put is read, listed and removed', async () => {
    expect(await keysOf(store)).toEqual([]);
    const bytes = Buffer.from([0, 1, 2, 255]);
    for (const key of ['a/11/x', 'a/22/y', 'b/11/z']) await store.put(key, Buffer.concat([bytes, Buffer.from(key)]), 'image/png');
    expect(await bytesOf(store, 'a/22/y')).toEqual(Buffer.concat([bytes, Buffer.from('a/22/y')]));
    expect(await keysOf(store)).toEqual(['a/11/x', 'a/22/y', 'b/11/z']);
    for await (const { modifiedAt } of store.list()) expect(Math.abs(modifiedAt.getTime() - Date.now())).toBeLessThan(60_000);
    await store.remove('a/22/y');
    await store.remove('a/22/y');
    expect(await bytesOf(store, 'a/22/y')).toBeNull();
    expect(await keysOf(store)).toEqual(['a/11/x', 'b/11/z']);
    store.close();
  });
});

describe('files', () => {
  test('a file has its name only when it is whole; what a crash left is listed', async () => {
    const root = join(temporaryFolder(), 'evidence');
    const store = openObjectStore(root);
    await store.put('a/1', Buffer.alloc(100_000, 1), 'image/png');
    expect(readdirSync(join(root, 'unfinished'))).toEqual([]);
    writeFileSync(join(root, 'unfinished', 'half'), 'ha');
    utimesSync(join(root, 'unfinished', 'half'), new Date(0), new Date(0));
    expect((await Array.fromAsync(store.list())).map(({ key, modifiedAt }) => [key, modifiedAt.getTime() === 0]).toSorted()).toEqual([['a/1', false], ['unfinished/half', true]]);
    expect(readFileSync(join(root, 'a', '1')).length).toBe(100_000);
  });

  test('where nothing can be written the caller hears of it, and nothing is left', async () => {
    const root = join(temporaryFolder(), 'evidence');
    mkdirSync(root);
    writeFileSync(join(root, 'a'), 'a file where a folder should be');
    const store = openObjectStore(root);
    await expect(store.put('a/1', Buffer.alloc(10), 'image/png')).rejects.toThrow(/ENOTDIR|EEXIST/);
    await expect(store.read('a/1')).rejects.toThrow(/ENOTDIR/);
    expect(existsSync(join(root, 'unfinished')) ? readdirSync(join(root, 'unfinished')) : []).toEqual([]);
  });
});

describe('s3', () => {
  test('objects are below the prefix, in their type', async () => {
    const store = openObjectStore('s3://pictures/of/milkrun/');
    await store.put('a/1', Buffer.from('x'), 'image/webp');
    expect([...s3.objects].map(([key, { type }]) => [key, type])).toEqual([['pictures/of/milkrun/a/1', 'image/webp']]);
    s3.objects.set('pictures/other', { bytes: Buffer.alloc(1), type: 'x', modifiedAt: new Date() });
    expect(await keysOf(store)).toEqual(['a/1']);
    await openObjectStore('s3://bare').put('k', Buffer.from('x'), 'image/png');
    expect(s3.objects.has('bare/k')).toBe(true);
    store.close();
  });

  test('a store that fails or knows no such key says so', async () => {
    const store = openObjectStore('s3://pictures');
    await expect(Promise.resolve(bytesOf(store, 'nothing'))).resolves.toBeNull();
    s3.failWith = 400;
    await expect(store.put('a', Buffer.from('x'), 'image/png')).rejects.toMatchObject({ $metadata: { httpStatusCode: 400 } });
    await expect(store.read('a')).rejects.toMatchObject({ $metadata: { httpStatusCode: 400 } });
    store.close();
  });
});
