import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openStore, type Store } from '../../../core/db/store.ts';
import { openObjectStore } from '../../../core/evidence/object-store.ts';
import { sweepOrphans } from '../../../core/evidence/sweep-orphans.ts';
import { createBusiness, keyClient } from '../../support/business.ts';
import type { Client } from '../../support/client.ts';
import { driversDay, type DriversDay } from '../../support/drivers-day.ts';
import { picture } from '../../support/images.ts';
import { ok } from '../../support/line-world.ts';
import { pathsOf } from '../../support/records.ts';
import { startService, type TestService } from '../../support/service.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const root = join(temporaryFolder(), 'evidence');
let service: TestService;
let store: Store;
let png: Buffer;
beforeAll(async () => {
  service = await startService({ env: { MILKRUN_EVIDENCE: root } });
  store = await openStore(service.databaseUrl, { poolSize: 2 });
  png = await picture('image/png');
});
afterAll(async () => {
  await store.close();
  await service.close();
});

const photo = (bytes: Buffer, more: object = {}) => ({ kind: 'photo', content_type: 'image/png', bytes: [...bytes], ...more });
const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
const filesOf = (business: { id: string }): string[] => {
  try {
    return (readdirSync(join(root, business.id), { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  } catch {
    return [];
  }
};
const content = (client: Client, day: { path: string }, id: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${service.url}${day.path}/evidence/${id}/content`, { headers: { authorization: `Bearer ${client.token}`, ...headers } });

/** `first` is published and on; `draft` is not published. */
async function aDay(settings: Record<string, unknown> = {}): Promise<DriversDay> {
  const day = await driversDay(service, settings);
  await day.place('first', 5, '09:00');
  ok(await day.publishAll());
  await day.place('draft', 5, '10:00');
  ok(await day.act('/duty', { online: true }));
  return day;
}

describe('an image', () => {
  test('is kept as it was sent, and read back by administrators', async () => {
    const day = await aDay();
    const key = await keyClient(day, ['evidence.manage']);
    const jpeg = await picture('image/jpeg', { width: 64, height: 48 });
    const evidence = ok(await key.post(`${day.path}/orders/draft/evidence`, photo(jpeg, { content_type: 'image/jpeg' })));
    expect(evidence).toMatchObject({ order_id: 'draft', kind: 'photo', content_type: 'image/jpeg', size_bytes: jpeg.length, sha256: sha256(jpeg), width: 64, height: 48, revision: 1, deleted_at: null });
    expect(evidence.uploaded_by).toBe((await day.admin.get(`${day.path}/api-keys`)).body.items[0].id);

    const reply = await content(day.admin, day, evidence.id);
    expect(Buffer.from(await reply.arrayBuffer()).equals(jpeg)).toBe(true);
    expect(Object.fromEntries(['content-type', 'content-length', 'etag', 'content-disposition', 'x-content-type-options'].map((name) => [name, reply.headers.get(name)]))).toEqual({
      'content-type': 'image/jpeg', 'content-length': String(jpeg.length), etag: `"${sha256(jpeg)}"`, 'content-disposition': `inline; filename="photo-${sha256(jpeg).slice(0, 12)}.jpeg"`, 'x-content-type-options': 'nosniff',
    });
    const again = await content(key, day, evidence.id, { 'if-none-match': `"${sha256(jpeg)}"` });
    expect([again.status, await again.text()]).toEqual([304, '']);
    const events = await day.sql(`select data from events where business_id = $1 and type = 'evidence.created'`, [day.id]);
    expect(events).toEqual([{ data: expect.objectContaining({ id: evidence.id, order_id: 'draft', sha256: sha256(jpeg) }) }]);
  });

  test('of the driver’s own published work comes from the driver', async () => {
    const day = await aDay();
    const send = (order: string, client = day.app) => client.post(`/api/v1/driver/orders/${order}/evidence`, photo(png));
    const evidence = ok(await send('first'));
    expect(evidence).toMatchObject({ order_id: 'first', uploaded_by: 'anna' });
    await day.driver('bert');
    const bert = await day.signIn('bert');
    for (const reply of [await send('draft'), await send('nowhere'), await send('first', bert)]) expect([reply.status, reply.body.error.code]).toEqual([404, 'not_found']);
    ok(await day.act('/location', { permission: 'denied' }));
    expect((await send('first')).status).toBe(403);
    ok(await day.act('/location', { permission: 'granted' }));
    ok(await day.admin.patch(`${day.path}/drivers/anna`, { active: false }));
    expect((await send('first')).status).toBe(401);
    expect((await day.get('/orders/first/evidence')).items).toEqual([evidence]);
  });

  test('that an order has already is not kept twice, however often and fast it is sent', async () => {
    const day = await aDay();
    const replies = await Promise.all(Array.from({ length: 8 }, () => day.app.post('/api/v1/driver/orders/first/evidence', photo(png))));
    expect(new Set(replies.map((reply) => `${reply.status} ${reply.text}`)).size).toBe(1);
    const [first] = replies;
    expect(ok(await day.admin.post(`${day.path}/orders/first/evidence`, photo(png))).id).toBe(first.body.id);
    // As something else or for another order it is another piece of evidence.
    const signature = ok(await day.app.post('/api/v1/driver/orders/first/evidence', photo(png, { kind: 'signature' })));
    const elsewhere = ok(await day.admin.post(`${day.path}/orders/draft/evidence`, photo(png)));
    expect(new Set([first.body.id, signature.id, elsewhere.id]).size).toBe(3);
    expect((await day.get('/orders/first/evidence')).items.map((item: { kind: string }) => item.kind)).toEqual(['photo', 'signature']);
    const page = await day.get('/orders/first/evidence?limit=1');
    expect((await day.get(`/orders/first/evidence?limit=1&cursor=${page.next_cursor}`)).items).toEqual([signature]);
    expect((await day.admin.get(`${day.path}/orders/draft/evidence?cursor=${page.next_cursor}`)).status).toBe(422);
  });
});

describe('what is no evidence', () => {
  test('is refused with the field and leaves nothing', async () => {
    const day = await aDay();
    const refused = async (body: object) => {
      const reply = await day.app.post('/api/v1/driver/orders/first/evidence', body);
      return [reply.status, ...pathsOf(reply)];
    };
    expect(await refused(photo(png.subarray(0, png.length - 20)))).toEqual([422, '/bytes']);
    expect(await refused(photo(png, { content_type: 'image/webp' }))).toEqual([422, '/content_type']);
    expect(await refused(photo(png, { content_type: 'image/gif' }))).toEqual([422, '/content_type']);
    expect(await refused(photo(png, { kind: 'video' }))).toEqual([422, '/kind']);
    expect(await refused(photo(Buffer.alloc(0)))).toEqual([422, '/bytes']);
    expect(await refused({ ...photo(png), bytes: [...png.subarray(0, 9), 256] })).toEqual([422, '/bytes/9']);
    expect(await refused({ ...photo(png), bytes: png.toString('base64') })).toEqual([422, '/bytes']);
    expect(await refused({ kind: 'photo', content_type: 'image/png' })).toEqual([422, '/bytes']);
    expect(await refused(photo(png, { note: 'x' }))).toEqual([422, '/note']);
    expect((await day.app.post('/api/v1/driver/orders/first/evidence', '{"kind":"photo","bytes":[1,,2]}')).status).toBe(400);
    const [escaped] = [await day.app.post('/api/v1/driver/orders/first/evidence', JSON.stringify(photo(png)).replace('"bytes"', '"\\u0062ytes"'))];
    expect(escaped.status).toBe(200);
    expect(filesOf(day)).toHaveLength(1);
  });

  test('nor is one too large, and the limit is that of evidence', async () => {
    const day = await aDay();
    const send = (body: string) => fetch(`${service.url}/api/v1/driver/orders/first/evidence`, { method: 'POST', body, headers: { authorization: `Bearer ${day.app.token}`, 'content-type': 'application/json' } });
    const large = `{"kind":"photo","content_type":"image/png","bytes":[${'137,'.repeat(4_000_000)}80]}`;
    expect((await (await send(large)).json() as { error: { details: { path: string }[] } }).error.details[0].path).toBe('/bytes');
    const tooLarge = `${large.slice(0, -2)}${','.padEnd(40 * 1024 * 1024, ' ')}1]}`;
    expect((await send(tooLarge)).status).toBe(413);
  });
});

describe('required evidence', () => {
  test('is there before an order is completed, whoever sent it', async () => {
    const day = await aDay({ evidence: { require_photos: true, require_signature: true } });
    ok(await day.act('/orders/first/start'));
    const complete = () => day.act('/orders/first/complete');
    expect((await complete()).body.error).toMatchObject({ code: 'conflict', message: 'the order first can not be completed without a photo and a signature' });
    ok(await day.app.post('/api/v1/driver/orders/first/evidence', photo(png)));
    expect([(await complete()).status, (await complete()).body.error.message]).toEqual([409, 'the order first can not be completed without a signature']);
    ok(await day.admin.post(`${day.path}/orders/first/evidence`, photo(png, { kind: 'signature' })));
    expect(ok(await complete()).status).toBe('completed');
  });

  test('is not needed to say that an order can not be completed', async () => {
    const day = await aDay({ evidence: { require_photos: true } });
    ok(await day.act('/orders/first/start'));
    expect(ok(await day.act('/orders/first/unable-to-complete', { reason: 'nobody there' })).status).toBe('unable_to_complete');
  });
});

test('evidence belongs to its business, and outlasts its order', async () => {
  const day = await aDay();
  const evidence = ok(await day.admin.post(`${day.path}/orders/draft/evidence`, photo(png)));
  const other = await createBusiness(service);
  const [foreign, absent] = [await content(other.admin, other, evidence.id), await content(other.admin, other, 'nothing')];
  expect([foreign.status, (await foreign.text()).replace(evidence.id, 'nothing')]).toEqual([404, await absent.text()]);
  expect((await content(other.admin, day, evidence.id)).status).toBe(404);
  expect((await content(await keyClient(day, ['orders.read']), day, evidence.id)).status).toBe(403);
  expect((await content(day.app, day, evidence.id)).status).toBe(403);
  ok(await day.admin.delete(`${day.path}/orders/draft`));
  expect((await day.get('/orders/draft/evidence')).items).toEqual([evidence]);
  expect((await content(day.admin, day, evidence.id)).status).toBe(200);
  expect((await day.admin.post(`${day.path}/orders/draft/evidence`, photo(png))).status).toBe(404);
});

describe('when things go wrong', () => {
  test('a store that takes nothing is told as unavailable, and no record is written', async () => {
    const day = await aDay();
    const blocked = join(root, day.id);
    mkdirSync(dirname(blocked), { recursive: true });
    writeFileSync(blocked, 'a file where a folder should be');
    const reply = await day.app.post('/api/v1/driver/orders/first/evidence', photo(png));
    expect([reply.status, reply.body.error]).toEqual([503, { code: 'unavailable', message: 'the image could not be stored' }]);
    expect((await day.get('/orders/first/evidence')).items).toEqual([]);
    rmSync(blocked);
    ok(await day.app.post('/api/v1/driver/orders/first/evidence', photo(png)));
  });

  test('an image that is gone from the store is told as unavailable', async () => {
    const day = await aDay();
    const evidence = ok(await day.admin.post(`${day.path}/orders/draft/evidence`, photo(png)));
    for (const file of filesOf(day)) rmSync(file);
    expect((await content(day.admin, day, evidence.id)).status).toBe(503);
  });

  test('what a crash left without a record is swept after a day, and nothing else', async () => {
    const day = await aDay();
    const evidence = ok(await day.admin.post(`${day.path}/orders/draft/evidence`, photo(png)));
    const [kept] = filesOf(day);
    const orphan = join(dirname(kept), 'orphan');
    const fresh = join(dirname(kept), 'fresh');
    const half = join(root, 'unfinished', 'half');
    const foreign = join(root, '00000000-0000-4000-8000-000000000000', 'image');
    mkdirSync(dirname(foreign), { recursive: true });
    for (const file of [orphan, fresh, half, foreign]) writeFileSync(file, 'x');
    const longAgo = new Date(Date.now() - 25 * 3_600_000);
    for (const file of [kept, orphan, half, foreign]) utimesSync(file, longAgo, longAgo);
    expect(await sweepOrphans(store, openObjectStore(root))).toBe(2);
    expect(filesOf(day).toSorted()).toEqual([fresh, kept].toSorted());
    expect(filesOf({ id: '00000000-0000-4000-8000-000000000000' })).toEqual([foreign]);
    expect((await content(day.admin, day, evidence.id)).status).toBe(200);
  });
});
