import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';
import { ApiError, type Problem } from '../core/contract/errors.ts';
import type { Operation } from '../core/contract/operation.ts';
import { judgeBulk, type Judged } from './bulk-body-thread.ts';

/** What is read and judged faster than a thread takes it over. */
const smallBytes = 64 * 1024;

export interface BulkBodies {
  /** The fields of a body, those of `textFields` as shared bytes of JSON. */
  fieldsOf(operation: Operation, bytes: Uint8Array<SharedArrayBuffer>): Promise<Record<string, unknown>>;
  close(): Promise<void>;
}

/** Reads bodies of tens of megabytes outside of the event loop: one after the other, because each takes ten times its size in memory. */
export function openBulkBodies(): BulkBodies {
  const filename = fileURLToPath(new URL('./bulk-body-thread.ts', import.meta.url));
  const thread = new Piscina({ filename, minThreads: 0, maxThreads: 1, idleTimeout: 10_000 });
  return {
    async fieldsOf({ id }, bytes) {
      const task = { operationId: id, bytes };
      const { fields, refusal } = bytes.length <= smallBytes ? judgeBulk(task) : ((await thread.run(task, { name: 'judgeBulk' })) as Judged);
      if (refusal) throw new ApiError(refusal.status, refusal.code, refusal.message, { details: refusal.details as Problem[], headers: refusal.headers });
      return fields;
    },
    close: () => thread.destroy(),
  };
}
