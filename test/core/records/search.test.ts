import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openStore, transaction, type Store } from '../../../core/db/store.ts';
import { driverKind } from '../../../core/drivers/kind.ts';
import { orderKind } from '../../../core/orders/write-orders.ts';
import { listRecords } from '../../../core/records/read-records.ts';
import { createBusiness, type TestBusiness } from '../../support/business.ts';
import { rowsOf } from '../../support/database.ts';
import { customSchema, driver, order } from '../../support/records.ts';
import { startService, type TestService } from '../../support/service.ts';

let service: TestService;
let business: TestBusiness;
let store: Store;

beforeAll(async () => {
  service = await startService();
  store = await openStore(service.databaseUrl);
  business = await createBusiness(service);
});
afterAll(async () => {
  await store.close();
  await service.close();
});

const found = async (plural: string, query: string): Promise<string[]> => (await business.admin.get(`${business.path}/${plural}?q=${encodeURIComponent(query)}`)).body.items.map(({ id }: { id: string }) => id).toSorted();

test('orders are found by id and by the values of their custom fields', async () => {
  await customSchema(business, [
    { id: 'customer', name: 'Customer', type: 'text' }, { id: 'floor', name: 'Floor', type: 'number' },
    { id: 'tools', name: 'Tools', type: 'select', multiple: true, choices: [{ id: 'ladder', label: 'Ladder' }, { id: 'crane', label: 'Crane' }] },
  ]);
  await order(business, { id: 'milk-1', custom_fields: { customer: 'Bäckerei Öhm', floor: 3, tools: ['ladder'] } });
  await order(business, { id: 'milk-2', custom_fields: { customer: '100% "quoted" \\ Ltd', floor: 31, tools: ['crane', 'ladder'] } });
  expect(await found('orders', 'MILK-1')).toEqual(['milk-1']);
  expect(await found('orders', 'öhm bäck')).toEqual(['milk-1']);
  expect(await found('orders', '3')).toEqual(['milk-1', 'milk-2']);
  expect(await found('orders', 'crane')).toEqual(['milk-2']);
  expect(await found('orders', '100%')).toEqual(['milk-2']);
  expect(await found('orders', '%')).toEqual(['milk-2']);
  // The names of fields are no values.
  expect(await found('orders', 'customer')).toEqual([]);
});

describe('among many', () => {
  beforeAll(async () => {
    await order(business, { id: 'needle-in-the-hay' });
    await driver(business, { id: 'needle', name: 'Zacharias', email: 'zacharias@drivers.example' });
    await rowsOf(service.databaseUrl, `insert into orders select (jsonb_populate_record(o, jsonb_build_object('id', md5(i::text), 'custom_fields', jsonb_build_object('customer', md5((-i)::text))))).* from orders o, generate_series(1, 6000) i where o.id = 'needle-in-the-hay'`);
    await rowsOf(service.databaseUrl, `insert into drivers select (jsonb_populate_record(d, jsonb_build_object('id', md5(i::text), 'name', md5((-i)::text), 'activation_hash', null))).* from drivers d, generate_series(1, 6000) i where d.id = 'needle'`);
    await rowsOf(service.databaseUrl, 'vacuum analyze orders, drivers');
  });

  test.each([['orders_search', orderKind, 'e-in-the-h', 'needle-in-the-hay'], ['drivers_search', driverKind, 'ZACHARIAS@dri needle', 'needle']])('one is found by the index %s', async (index, kind, q, id) => {
    const uses = async () => Number((await rowsOf(service.databaseUrl, 'select idx_scan from pg_stat_user_indexes where indexrelname = $1', [index]))[0].idx_scan);
    const before = await uses();
    const { records } = await transaction(store, business.id, async (em) => {
      const page = await listRecords(em, kind as typeof driverKind, business.id, { q });
      // What a connection has done is counted at the end of this transaction and not some seconds later.
      await em.execute('select pg_stat_force_next_flush()');
      return page;
    });
    expect(records.map((record) => record.id)).toEqual([id]);
    expect(await uses()).toBeGreaterThan(before);
  });
});
