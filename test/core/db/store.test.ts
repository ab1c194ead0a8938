import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Business } from '../../../core/businesses/entity.ts';
import { mergedSettings } from '../../../core/businesses/settings.ts';
import { entities } from '../../../core/db/entities.ts';
import { openStore, reader, snapshot, sqlState, transaction, type EntityManager, type Store } from '../../../core/db/store.ts';
import type { Order } from '../../../core/orders/entity.ts';
import { Warehouse } from '../../../core/warehouses/entity.ts';
import { createDatabase, rowsOf, type TestDatabase } from '../../support/database.ts';

let database: TestDatabase;
let store: Store;
let businessId: string;
let otherId: string;

beforeAll(async () => {
  database = await createDatabase();
  store = await openStore(database.url);
  [businessId, otherId] = [await newBusiness(), await newBusiness()];
});
afterAll(async () => {
  await store.close();
  await database.drop();
});

async function newBusiness(): Promise<string> {
  const id = randomUUID();
  await transaction(store, null, async (em) => em.persist(em.create(Business, { id, ...mergedSettings({ name: 'B', time_zone: 'Europe/Berlin' }, null) } as never)).flush());
  for (const name of ['one', 'two']) await transaction(store, id, (em) => insert(em, id, name));
  return id;
}
const insert = (em: EntityManager, id: string, name: string) => em.persist(em.create(Warehouse, { businessId: id, id: name, name, location: { latitude: 0, longitude: 0 } } as never)).flush();
const nameOf = async (id: string): Promise<string> => (await rowsOf(database.url, 'select name from warehouses where business_id = $1 and id = $2', [businessId, id]))[0].name;
const rename = (em: EntityManager, id: string, name: string) => em.execute('update warehouses set name = ? where business_id = ? and id = ?', [name, businessId, id]);

describe('records of one business', () => {
  test('nobody sees those of another', async () => {
    for (const id of [businessId, otherId]) {
      const found = await reader(store, id).find(Warehouse, {});
      expect(found.map((warehouse) => [warehouse.businessId, warehouse.id])).toEqual([[id, 'one'], [id, 'two']]);
      await transaction(store, id, async (em) => expect(await em.count(Warehouse, {})).toBe(2));
      await snapshot(store, id, async (em) => expect(await em.count(Warehouse, {})).toBe(2));
    }
    expect(await reader(store, businessId).findOne(Warehouse, { businessId: otherId, id: 'one' })).toBeNull();
    await transaction(store, businessId, (em) => em.nativeUpdate(Warehouse, { id: 'two' }, { name: 'mine' }));
    expect((await reader(store, otherId).findOneOrFail(Warehouse, { id: 'two' })).name).toBe('two');
  });

  test('who names no business gets an error instead of everybody\'s records', async () => {
    const em = reader(store, null);
    const ofBusinesses = entities.filter((entity) => 'business' in (store.getMetadata().get(entity as typeof Order).filters ?? {}));
    expect(ofBusinesses.length).toBeGreaterThanOrEqual(12);
    for (const entity of ofBusinesses as (typeof Order)[]) {
      await expect(em.find(entity, {})).rejects.toThrow(/business/);
      await expect(em.count(entity, {})).rejects.toThrow(/business/);
      await expect(em.nativeDelete(entity, {})).rejects.toThrow(/business/);
    }
  });
});

describe('transactions', () => {
  test('what fails leaves nothing behind', async () => {
    await expect(transaction(store, businessId, async (em) => {
      await insert(em, businessId, 'three');
      throw new Error('no');
    })).rejects.toThrow('no');
    expect(await reader(store, businessId).count(Warehouse, {})).toBe(2);
  });

  test('two that wait for one another: one begins anew, and both are done', async () => {
    const attempts = { a: 0, b: 0 };
    const gate = barrier(2);
    const work = (name: 'a' | 'b', [first, second]: string[]) => transaction(store, businessId, async (em) => {
      attempts[name]++;
      await rename(em, first, name);
      if (attempts[name] === 1) await gate();
      await rename(em, second, name);
    });
    await Promise.all([work('a', ['one', 'two']), work('b', ['two', 'one'])]);
    expect(attempts.a + attempts.b).toBe(3);
    expect(await nameOf('one')).toBe(await nameOf('two'));
  });

  test('a lost race of two editors begins anew with what the winner wrote', async () => {
    const gate = barrier(2);
    let attempts = 0;
    const append = (letter: string) => {
      let isFirst = true;
      return transaction(store, businessId, async (em) => {
        attempts++;
        const warehouse = await em.findOneOrFail(Warehouse, { id: 'one' });
        if (isFirst) {
          isFirst = false;
          await gate();
        }
        warehouse.name += letter;
      });
    };
    await transaction(store, businessId, (em) => rename(em, 'one', 'x'));
    await Promise.all([append('a'), append('b')]);
    expect(attempts).toBe(3);
    expect((await nameOf('one')).split('').toSorted().join('')).toBe('abx');
  });

  test('a race that never ends is a conflict in the end', async () => {
    let attempts = 0;
    const lost = transaction(store, businessId, async (em) => {
      attempts++;
      await em.findOneOrFail(Warehouse, { id: 'one' });
      // A real one each time: the database refuses to serialize.
      await em.execute('do $$ begin raise exception using errcode = \'40001\'; end $$');
    });
    await expect(lost).rejects.toMatchObject({ status: 409, code: 'conflict' });
    expect(attempts).toBe(6);
  });

  test('any other failure of the database is not tried again', async () => {
    let attempts = 0;
    const failed = transaction(store, businessId, async (em) => {
      attempts++;
      await em.execute('select 1 / 0');
    });
    await expect(failed).rejects.toThrow('division by zero');
    expect(attempts).toBe(1);
    expect(sqlState(await failed.catch((error: unknown) => error))).toBe('22012');
  });
});

test('a snapshot sees one moment, and writes nothing', async () => {
  await snapshot(store, businessId, async (em) => {
    const before = await em.count(Warehouse, {});
    await transaction(store, businessId, (other) => insert(other, businessId, 'meanwhile'));
    expect(await em.count(Warehouse, {})).toBe(before);
    await expect(rename(em, 'one', 'y')).rejects.toThrow(/read-only/);
  });
});

/** Lets nobody through before `count` have come. */
function barrier(count: number): () => Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let waiting = 0;
  return () => {
    if (++waiting === count) resolve();
    return promise;
  };
}
