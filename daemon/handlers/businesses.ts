import { presentBusiness } from '../../core/businesses/settings.ts';
import { businessesOf, createBusiness, getBusiness, updateSettings } from '../../core/businesses/write-businesses.ts';
import { reader, transaction } from '../../core/db/store.ts';
import { decodeCursor, encodeCursor, type Position } from '../../core/records/cursor.ts';
import type { Handler, Handlers } from '../call.ts';
import { intentOf } from '../routes.ts';
import { accountOf } from './accounts.ts';

const read: Handler = async ({ service, businessId }) => ({ body: presentBusiness(await getBusiness(reader(service.store, businessId), businessId)) });

const update: Handler = async (call) => {
  const business = await transaction(call.service.store, call.businessId, (em) => updateSettings(em, call.businessId, call.body, intentOf(call)));
  return { body: presentBusiness(business) };
};

const isAfter = ({ createdAt, id }: Position, position: Position): boolean =>
  createdAt > position.createdAt || (createdAt.getTime() === position.createdAt.getTime() && id > position.id);

export const businessHandlers: Handlers = {
  'businesses.create': async (call) => {
    const business = await transaction(call.service.store, null, (em) => createBusiness(em, accountOf(call).accountId, call.body));
    return { body: presentBusiness(business), headers: { Location: `/api/v1/businesses/${business.id}` } };
  },
  'businesses.list': async (call) => {
    const { accountId } = accountOf(call);
    const { limit = 10_000, cursor } = call.query as { limit?: number; cursor?: string };
    const position = cursor === undefined ? null : decodeCursor(cursor, 'business', accountId, {});
    const all = (await businessesOf(reader(call.service.store, null), accountId)).map(({ business }) => business);
    const rest = position === null ? all : all.filter((business) => isAfter(business, position));
    const page = rest.slice(0, limit);
    const last = page.at(-1);
    return { body: { items: page.map(presentBusiness), next_cursor: last && page.length < rest.length ? encodeCursor(last, 'business', accountId, {}) : null } };
  },
  'businesses.get': read,
  'settings.get': read,
  'settings.replace': update,
  'settings.update': update,
};
