import type { Client } from '../client.ts';

export interface Page<Item> {
  items: Item[];
  next_cursor: string | null;
}

interface PageOptions {
  query?: Record<string, unknown>;
  /** All where absent. */
  limit?: number;
  cursor?: string;
}

const pageSize = 1_000;

/** Turns the pages of a list and answers with all of it, or with as many as were asked for and where to go on. */
export async function listPages<Item>(client: Client, path: string, { query = {}, limit = Infinity, cursor: first }: PageOptions = {}): Promise<Page<Item>> {
  const items: Item[] = [];
  let cursor: string | null | undefined = first;
  do {
    const page: Page<Item> = await client.get(path, { ...query, limit: Math.min(pageSize, limit - items.length), cursor: cursor ?? undefined });
    items.push(...page.items);
    // A service that gives the same cursor again would keep us here for ever.
    cursor = page.next_cursor === cursor ? null : page.next_cursor;
  } while (cursor !== null && items.length < limit);
  return { items, next_cursor: cursor };
}

export const listAll = async <Item>(client: Client, path: string, query?: Record<string, unknown>): Promise<Item[]> => (await listPages<Item>(client, path, { query })).items;
