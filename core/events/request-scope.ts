import { AsyncLocalStorage } from 'node:async_hooks';

const requestIds = new AsyncLocalStorage<string | null>();

/** Events that `work` causes carry the id of the request behind it, and so do their deliveries. */
export const inRequest = <T>(requestId: string | null | undefined, work: () => T): T => requestIds.run(requestId ?? null, work);

export const requestIdNow = (): string | null => requestIds.getStore() ?? null;
