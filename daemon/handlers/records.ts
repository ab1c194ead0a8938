import { reader, transaction } from '../../core/db/store.ts';
import type { StoredRecord } from '../../core/records/entity.ts';
import type { RecordKind } from '../../core/records/kind.ts';
import { getRecord, listRecords, type RecordStatus } from '../../core/records/read-records.ts';
import { createRecord, deleteRecord, updateRecord } from '../../core/records/write-records.ts';
import type { Handler, Handlers } from '../call.ts';
import { intentOf } from '../routes.ts';

/** The handlers of `crudOperations` for a kind of record that needs nothing beyond its rules. */
export function recordHandlers<E extends StoredRecord>(plural: string, kind: RecordKind<E>): Handlers {
  const update: Handler = async (call) => {
    const record = await transaction(call.service.store, call.businessId, (em) => updateRecord(em, kind, call.params.record_id, call.body, intentOf(call)));
    return { body: kind.present(record) };
  };
  return {
    [`${plural}.list`]: async ({ service, businessId, query }) => {
      const { records, nextCursor } = await listRecords(reader(service.store, businessId), kind, businessId, query);
      return { body: { items: records.map((record) => kind.present(record)), next_cursor: nextCursor } };
    },
    [`${plural}.create`]: async (call) => {
      const record = await transaction(call.service.store, call.businessId, (em) => createRecord(em, call.businessId, kind, call.body));
      return created(call, plural, kind.present(record), record.id);
    },
    [`${plural}.get`]: async ({ service, businessId, params, query }) => ({
      body: kind.present(await getRecord(reader(service.store, businessId), kind, params.record_id, query.record_status as RecordStatus)),
    }),
    [`${plural}.update`]: update,
    [`${plural}.replace`]: update,
    [`${plural}.delete`]: async (call) => {
      await transaction(call.service.store, call.businessId, (em) => deleteRecord(em, kind, call.params.record_id, intentOf(call)));
      return {};
    },
  };
}

/** A new record's answer, with its address. */
export const created = ({ businessId }: { businessId: string }, plural: string, body: object, id: string) => ({
  body,
  headers: { Location: `/api/v1/businesses/${businessId}/${plural}/${encodeURIComponent(id)}` },
});
