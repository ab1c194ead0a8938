import { randomUUIDv7 } from 'node:crypto';

/** A time-ordered UUID (RFC 9562, version 7): ids sort by creation, and index pages fill from one end. */
export const newId = (): string => randomUUIDv7();

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
export const isUuid = (text: string): boolean => uuidPattern.test(text);
