import type { EntityManager } from '../db/store.ts';
import { newId } from '../records/ids.ts';
import { requestIdNow } from './request-scope.ts';
import type { EventType } from './schema.ts';

export interface NewEvent {
  businessId: string;
  type: EventType;
  data: object;
}

/** So many bytes go into one statement at most; a batch of 1000 orders is a few of them. */
const statementBytes = 4 * 1024 * 1024;

/** Writes events in this order, many with one statement. */
export async function writeEvents(em: EntityManager, events: NewEvent[]): Promise<void> {
  let rows: string[] = [];
  let size = 0;
  const write = async (): Promise<void> => {
    if (rows.length === 0) return;
    await em.execute(
      `insert into events (business_id, id, type, data, request_id, created_at)
       select (e.row->>'business_id')::uuid, (e.row->>'id')::uuid, e.row->>'type', e.row->'data', ?, ?
       from jsonb_array_elements(?::jsonb) with ordinality as e (row, number) order by e.number`,
      [requestIdNow(), new Date(), `[${rows.join(',')}]`],
    );
    rows = [];
    size = 0;
  };
  for (const { businessId, type, data } of events) {
    const row = JSON.stringify({ business_id: businessId, id: newId(), type, data });
    rows.push(row);
    size += row.length;
    if (size >= statementBytes) await write();
  }
  await write();
}
