import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { currentUnit, inOneTransaction, type Companions } from '../../../core/db/one-transaction.ts';
import { openStore, reader, transaction, type Store } from '../../../core/db/store.ts';
import { Account } from '../../../core/accounts/entity.ts';
import { createDatabase, rowsOf, type TestDatabase } from '../../support/database.ts';

let database: TestDatabase;
let store: Store;

beforeAll(async () => {
  database = await createDatabase();
  store = await openStore(database.url);
});
afterAll(async () => {
  await store.close();
  await database.drop();
});
beforeEach(() => rowsOf(database.url, 'delete from accounts'));

const add = (name: string) => transaction(store, null, async (em) => {
  await em.persist(em.create(Account, { email: `${name}@depot.example`, passwordHash: 'x' } as never)).flush();
  return name;
});
const accounts = async (): Promise<string[]> => (await rowsOf(database.url, 'select email from accounts order by email')).map(({ email }) => email.split('@')[0]);
const companions = (overrides: Partial<Companions<unknown>> = {}): Companions<unknown> => ({ always: false, begin: async () => {}, end: async () => {}, ...overrides });

test('pieces of work commit together, after the answer and what comes along', async () => {
  const seen: unknown[] = [];
  const answer = await inOneTransaction(store, companions({
    begin: async () => void seen.push('begin'),
    end: async (em, result, changes) => {
      seen.push(result, changes?.map(({ entity, kind }) => `${entity} ${kind}`));
      await em.execute(`insert into accounts (id, email, password_hash, created_at) values (gen_random_uuid(), 'companion@depot.example', 'x', now())`);
    },
  }), async () => {
    await add('one');
    await add('two');
    // The request sees what it has written; nobody else does.
    expect(await reader(store, null).count(Account)).toBe(2);
    expect(await accounts()).toEqual([]);
    return 'answer';
  });
  expect([answer, seen]).toEqual(['answer', ['begin', 'answer', ['Account created', 'Account created']]]);
  expect(await accounts()).toEqual(['companion', 'one', 'two']);
});

test.each(['handler', 'companion'])('nothing stays where the %s fails', async (who) => {
  const fail = () => Promise.reject(new Error('crash'));
  const request = inOneTransaction(store, companions(who === 'companion' ? { end: fail } : {}), async () => {
    await add('one');
    if (who === 'handler') await fail();
  });
  await expect(request).rejects.toThrow('crash');
  expect(await accounts()).toEqual([]);
});

test('a piece that fails and is caught leaves the others, and no trace of itself', async () => {
  let told: unknown;
  await inOneTransaction(store, companions({ end: async (_em, _answer, changes) => void (told = changes?.map(({ fields }) => fields.email.after)) }), async () => {
    await add('one');
    await transaction(store, null, async (em) => {
      await em.persist(em.create(Account, { email: 'undone@depot.example', passwordHash: 'x' } as never)).flush();
      throw new Error('undone');
    }).catch(() => {});
    await add('two');
  });
  expect(told).toEqual(['one@depot.example', 'two@depot.example']);
  expect(await accounts()).toEqual(['one', 'two']);
});

test('where nothing is written there is no transaction, unless something comes along always', async () => {
  const ends: unknown[] = [];
  const end: Companions<unknown>['end'] = async (em, _answer, changes) => void ends.push(changes, em.isInTransaction());
  await inOneTransaction(store, companions({ end }), async () => 'nothing');
  expect(ends).toEqual([]);
  await inOneTransaction(store, companions({ end, always: true }), async () => {
    // A dry run takes back what it has done.
    await expect(transaction(store, null, async () => Promise.reject(new Error('dry run')))).rejects.toThrow('dry run');
  });
  expect(ends).toEqual([null, true]);
});

test('a lost race begins anew, with all that belongs to it', async () => {
  let begins = 0;
  let attempts = 0;
  let told: number | undefined;
  await inOneTransaction(store, companions({ begin: async () => void begins++, end: async (_em, _answer, changes) => void (told = changes?.length) }), () => transaction(store, null, async (em) => {
    await em.persist(em.create(Account, { email: 'one@depot.example', passwordHash: 'x' } as never)).flush();
    if (++attempts < 3) throw Object.assign(new Error('deadlock'), { code: '40P01' });
  }));
  expect([begins, attempts, told]).toEqual([3, 3, 1]);
  expect(await accounts()).toEqual(['one']);
});

test('work that outlives its request is on its own', async () => {
  const { promise: requestIsOver, resolve } = Promise.withResolvers<void>();
  let late: Promise<string> | undefined;
  await inOneTransaction(store, companions(), async () => {
    late = requestIsOver.then(() => {
      expect(currentUnit()).toBeNull();
      return add('late');
    });
  });
  resolve();
  expect(await late).toBe('late');
  expect(await accounts()).toEqual(['late']);
});

test('more requests than connections do not wait for one another for ever', async () => {
  await Promise.all(Array.from({ length: 40 }, (_, i) => inOneTransaction(store, companions({ always: true }), async () => {
    await add(`many-${i}`);
    await reader(store, null).count(Account);
    await add(`more-${i}`);
  })));
  expect(await accounts()).toHaveLength(80);
});
