import { createHash } from 'node:crypto';
import { invalid } from '../contract/errors.ts';

/** Where a page ended: the list goes on after this record. */
export interface Position {
  createdAt: Date;
  id: string;
}

/** A cursor works for the list and the filter that it came from, and for nothing else. */
const bindingOf = (list: string, businessId: string, filter: object): string =>
  createHash('sha256').update(JSON.stringify([list, businessId, Object.entries(filter).sort()])).digest('base64url').slice(0, 16);

export function encodeCursor(position: Position, list: string, businessId: string, filter: object): string {
  return Buffer.from(JSON.stringify([bindingOf(list, businessId, filter), position.createdAt.getTime(), position.id])).toString('base64url');
}

export function decodeCursor(cursor: string, list: string, businessId: string, filter: object): Position {
  const refuse = () => invalid('?cursor', 'is not a cursor of this list and filter');
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    throw refuse();
  }
  if (!Array.isArray(parts) || parts.length !== 3) throw refuse();
  const [binding, createdAtMs, id] = parts as [unknown, unknown, unknown];
  if (binding !== bindingOf(list, businessId, filter) || !isInstant(createdAtMs) || typeof id !== 'string' || id.includes('\0')) throw refuse();
  return { createdAt: new Date(createdAtMs), id };
}

/** Anybody can write a cursor; only times that the database can hold are compared with its own. */
const isInstant = (value: unknown): value is number => Number.isSafeInteger(value) && Math.abs(value as number) < 253_402_300_800_000;
