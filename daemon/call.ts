import type { Readable } from 'node:stream';
import type { Credential } from '../core/accounts/credential.ts';
import type { Config } from '../core/config.ts';
import type { Store } from '../core/db/store.ts';
import type { ObjectStore } from '../core/evidence/object-store.ts';
import type { Queues } from '../core/jobs/queue.ts';
import type { Logger } from 'pino';
import type { BulkBodies } from './bulk-body.ts';
import type { RateLimits } from './rate-limits.ts';

/** What the process has, once. */
export interface Service {
  config: Config;
  store: Store;
  queues: Queues;
  /** The bytes of evidence. */
  objects: ObjectStore;
  limits: RateLimits;
  bulkBodies: BulkBodies;
  log: Logger;
  /** Aborts when the daemon stops: open streams end. */
  stopping: AbortSignal;
}

/** One request that has passed routing, authorization and validation. */
export interface Call {
  service: Service;
  params: Record<string, string>;
  query: Record<string, unknown>;
  body: Record<string, unknown>;
  /** Of operations in a business. */
  businessId: string;
  credential: Credential | null;
  requestId: string;
  /** Where the request comes from. */
  address: string;
  /** The revisions of If-Match. */
  ifMatch?: readonly number[];
  lastEventId?: string;
  /** Aborts when the client goes away or the daemon stops. */
  signal: AbortSignal;
}

export interface Answer {
  body?: object;
  /** Which scenarios of the body get their nodes and edges only while it is written, by the way to them. */
  graphs?: { path: (string | number)[]; digest: string }[];
  headers?: Record<string, string>;
  /** Instead of a body. */
  stream?: AsyncIterable<string>;
  /** Instead of a body: something that is not JSON, in the type that the headers say. */
  content?: { bytes: Readable; sizeBytes: number };
}

export type Handler = (call: Call) => Promise<Answer>;
/** By operation id. */
export type Handlers = Record<string, Handler>;
