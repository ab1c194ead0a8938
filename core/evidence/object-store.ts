import type { Readable } from 'node:stream';
import { openFileStore } from './file-store.ts';
import { openS3Store } from './s3-store.ts';

/** Where the bytes of evidence are. Keys are paths of a few plain characters, written once and never changed. */
export interface ObjectStore {
  /** Returns when the bytes would survive a crash. Half an object is never seen. */
  put(key: string, bytes: Buffer, contentType: string): Promise<void>;
  /** Null where there is nothing under the key. */
  read(key: string): Promise<Readable | null>;
  /** All there is, also what a crash has left half written. */
  list(): AsyncIterable<StoredObject>;
  remove(key: string): Promise<void>;
  close(): void;
}

export interface StoredObject {
  key: string;
  modifiedAt: Date;
}

/** `location` is a directory or s3://bucket/prefix. Nothing is opened before it is needed. */
export const openObjectStore = (location: string): ObjectStore => (location.startsWith('s3://') ? openS3Store(location) : openFileStore(location));
