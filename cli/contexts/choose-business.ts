import type { Input } from '../command.ts';
import type { Context } from '../context.ts';
import { isStatus, wrongUsage } from '../failures.ts';
import { listAll } from '../derived/list-pages.ts';
import { renderRecord } from '../record-view.ts';
import { useBusiness } from './use-business.ts';

interface Business {
  id: string;
  name: string;
}

export async function chooseBusiness({ operands: [idOrName] }: Input, context: Context): Promise<void> {
  useBusiness(await findBusiness(idOrName, context), context);
}

export async function showBusiness(_input: Input, context: Context): Promise<void> {
  const business = await context.client.get<Record<string, unknown>>(`/api/v1/businesses/${encodeURIComponent(context.business())}`);
  if (context.isJson) context.printJson(business);
  else context.print(renderRecord(business, context.paint));
}

/** A key may read its own business, but not list businesses; so the id is tried first. */
async function findBusiness(idOrName: string, { client }: Context): Promise<Business> {
  try {
    if (/^[0-9a-f-]{36}$/i.test(idOrName)) return await client.get<Business>(`/api/v1/businesses/${idOrName}`);
  } catch (error) {
    if (!isStatus(error, 404)) throw error;
  }
  const named = (await listAll<Business>(client, '/api/v1/businesses')).filter(({ id, name }) => id === idOrName || name === idOrName);
  if (named.length === 1) return named[0];
  throw wrongUsage(named.length === 0 ? `you have no business ${JSON.stringify(idOrName)}` : `${named.length} businesses are called ${JSON.stringify(idOrName)}; give the id`, 'see them with: milkrun businesses list');
}
