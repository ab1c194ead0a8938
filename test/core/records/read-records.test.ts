import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createBusiness, type TestBusiness } from '../../support/business.ts';
import { rowsOf } from '../../support/database.ts';
import { location, order, pathsOf, vehicle, warehouse } from '../../support/records.ts';
import { startService, type TestService } from '../../support/service.ts';

let service: TestService;
let business: TestBusiness;

beforeAll(async () => {
  service = await startService();
  business = await createBusiness(service);
});
afterAll(() => service.close());

const list = (query = '', plural = 'warehouses', of = business) => of.admin.get(`${of.path}/${plural}${query}`);
const idsOf = ({ body }: { body: any }): string[] => body.items.map((item: { id: string }) => item.id);

/** All pages, each as the ids that it holds. */
async function pagesOf(query: string): Promise<string[][]> {
  const pages: string[][] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const page = await list(`?${query}${cursor ? `&cursor=${cursor}` : ''}`);
    pages.push(idsOf(page));
    cursor = page.body.next_cursor;
  }
  return pages;
}

describe('pages', () => {
  const ids = ['m', 'a', 'Z', 'é', '🚚', 'b', 'c', '~', '0', '%'];
  let all: string[];
  beforeAll(async () => {
    for (const id of ids) await warehouse(business, { id, name: `Depot ${id}` });
    // Equal instants: the id decides.
    await rowsOf(service.databaseUrl, `update warehouses set created_at = '2026-01-01T00:00:00Z' where id <> 'm'`);
    await rowsOf(service.databaseUrl, `update warehouses set created_at = '2026-01-01T00:00:00.001Z' where id = 'm'`);
    all = idsOf(await list());
  });

  test('without a limit everything comes, in the order of creation', () => {
    expect(all.toSorted()).toEqual(ids.toSorted());
    expect(all.at(-1)).toBe('m');
  });

  test.each([1, 2, 3, 9, 10, 11])('of %d each come to the same, without a gap or a repetition', async (limit) => {
    const pages = await pagesOf(`limit=${limit}`);
    expect(pages.flat()).toEqual(all);
    expect(pages.slice(0, -1).every((page) => page.length === limit)).toBe(true);
    expect(pages.length).toBe(Math.ceil(all.length / limit));
  });

  test('records that come and go between two pages neither hide nor repeat others', async () => {
    const first = await list('?limit=4');
    const extra = await warehouse(business);
    await business.admin.delete(`${business.path}/warehouses/${extra.id}`);
    await rowsOf(service.databaseUrl, 'update warehouses set deleted_at = now() where id = $1', [idsOf(first).at(-1)]);
    expect(idsOf(await list(`?limit=100&cursor=${first.body.next_cursor}`))).toEqual(all.slice(4));
    await rowsOf(service.databaseUrl, 'update warehouses set deleted_at = null where id = $1', [idsOf(first).at(-1)]);
  });

  test('a cursor is for its own list, filter and business', async () => {
    const { body: { next_cursor: cursor } } = await list('?limit=2');
    const other = await createBusiness(service);
    expect((await list(`?cursor=${cursor}&limit=7&record_status=active`)).status).toBe(200);
    const refused = [
      await list(`?cursor=${cursor}`, 'warehouses', other), await list(`?cursor=${cursor}`, 'drivers'), await list(`?cursor=${cursor}&q=depot`), await list(`?cursor=${cursor}&record_status=all`),
      await list(`?cursor=${cursor}x`), await list('?cursor=nonsense'), await list('?cursor='),
      await list(`?cursor=${forged(cursor, [8.7e15, 'a'])}`), await list(`?cursor=${forged(cursor, [0, 'a\0'])}`), await list(`?cursor=${forged(cursor, [0, 7])}`), await list(`?cursor=${forged(cursor, ['now', 'a'])}`),
    ];
    for (const reply of refused) expect([reply.status, pathsOf(reply)]).toEqual([422, ['?cursor']]);
  });

  test.each(['0', '-1', '10001', '1e3', '0x10', '1.5', '', ' ', '%201', 'ten', '1,2', 'null'])('a limit of %j is none', async (limit) => {
    const reply = await list(`?limit=${limit}`);
    expect([reply.status, pathsOf(reply)]).toEqual([422, ['?limit']]);
  });
});

/** A cursor with the right binding and another position. */
function forged(cursor: string, position: unknown[]): string {
  const [binding] = JSON.parse(Buffer.from(cursor, 'base64url').toString());
  return Buffer.from(JSON.stringify([binding, ...position])).toString('base64url');
}

describe('record_status and q', () => {
  let mine: TestBusiness;
  const find = async (query: string) => (await list(`?${query}`, 'warehouses', mine)).body.items.map((item: { name: string }) => item.name);
  beforeAll(async () => {
    mine = await createBusiness(service);
    for (const name of ['North Yard', 'South yard', '100% full', '100 and more', 'under_score', 'underXscore', 'back\\slash', "O'Hare; drop table"]) await warehouse(mine, { name });
    const gone = await warehouse(mine, { name: 'Gone yard' });
    await mine.admin.delete(`${mine.path}/warehouses/${gone.id}`);
  });

  test.each([
    ['q=yard', ['North Yard', 'South yard']], ['q=YARD%20north', ['North Yard']], ['q=%25', ['100% full']], ['q=0%25', ['100% full']], ['q=r_s', ['under_score']], ['q=%5C', ['back\\slash']],
    ["q=O'Hare;", ["O'Hare; drop table"]], ['q=nowhere', []], ['q=yard&record_status=deleted', ['Gone yard']], ['q=yard&record_status=all', ['North Yard', 'South yard', 'Gone yard']],
  ])('%s', async (query, names) => {
    expect(await find(query)).toEqual(names);
  });

  test.each(['q=', 'q=%20', 'q=+%09'])('%j looks for nothing and finds all', async (query) => {
    expect(await find(query)).toHaveLength(8);
  });

  test('an id is found as well', async () => {
    const { id, name } = await warehouse(mine, { id: 'Marked-17', name: 'Anything' });
    expect(await find(`q=${id.toLowerCase()}`)).toEqual([name]);
  });

  test('what can not be looked for is refused', async () => {
    for (const query of ['q=%00', `q=${'x'.repeat(201)}`]) expect([query, pathsOf(await list(`?${query}`))]).toEqual([query, ['?q']]);
    expect(pathsOf(await list('?record_status=gone'))).toEqual(['?record_status']);
  });
});

describe('orders', () => {
  test('by status, vehicle and the time that their window overlaps', async () => {
    const mine = await createBusiness(service);
    const van = await vehicle(mine);
    const window = (from: string, to: string) => ({ window_start: `2026-03-02T${from}:00Z`, window_end: `2026-03-02T${to}:00Z` });
    await order(mine, { id: 'early', ...window('06:00', '08:00') });
    await order(mine, { id: 'late', ...window('08:00', '10:00'), vehicle_id: van.id });
    await order(mine, { id: 'cancelling', ...window('09:00', '10:00'), status: 'cancelled' });
    const find = async (query: string) => idsOf(await list(`?${query}`, 'orders', mine));
    expect(await find('from=2026-03-02T08:00:00Z')).toEqual(['late', 'cancelling']);
    expect(await find('to=2026-03-02T09:00:00%2B01:00')).toEqual(['early']);
    expect(await find('from=2026-03-02T07:59:59Z&to=2026-03-02T08:00:01Z')).toEqual(['early', 'late']);
    expect(await find(`vehicle_id=${van.id}`)).toEqual(['late']);
    expect(await find(`vehicle_id=${van.id}&view=published`)).toEqual([]);
    expect(await find('status=created')).toEqual(['early', 'late', 'cancelling']);
    expect(await find('status=cancelled')).toEqual([]);
    expect(pathsOf(await list('?from=yesterday&to=2026-03-02&status=gone&view=both', 'orders', mine))).toEqual(['?view', '?status', '?from', '?to']);
  });
});

test('a list shows the records as reading each of them does', async () => {
  const mine = await createBusiness(service);
  await warehouse(mine, { location });
  const { body } = await list('', 'warehouses', mine);
  expect(body.next_cursor).toBeNull();
  expect((await mine.admin.get(`${mine.path}/warehouses/${body.items[0].id}`)).body).toEqual(body.items[0]);
});
