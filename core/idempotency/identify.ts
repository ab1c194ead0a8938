import { createHash, hkdfSync } from 'node:crypto';
import { invalid } from '../contract/errors.ts';

/** A request that may come again, as its idempotency key makes it recognisable. */
export interface Retryable {
  /** Who, where and under which key: SHA-256. */
  id: string;
  /** What else must be the same in a retry: SHA-256. */
  fingerprint: string;
  /** The secret of the stored answer; it can only be made from the request itself. */
  sealingKey(salt: Buffer): Buffer;
}

export interface RequestParts {
  key: string;
  /** The holder of the credential, or the address of somebody without one. */
  sender: string;
  /** The bearer token; empty without one. */
  token: string;
  method: string;
  path: string;
  query: string;
  /** SHA-512 of the body. */
  bodyDigest: Buffer;
}

const printable = /^[\x20-\x7e]{1,255}$/;

/**
 * Nothing that the client sent is kept. Neither hash leads back to the digest of the body, which together with the token and the key
 * opens the stored answer: whoever reads the table can not read the activation codes and keys that answers hold.
 */
export function identify({ key, sender, token, method, path, query, bodyDigest }: RequestParts): Retryable {
  if (!printable.test(key)) throw invalid('', 'the Idempotency-Key header must be 1 to 255 printable ASCII characters');
  return {
    id: hash('request', sender, method, path, key),
    fingerprint: hash('content', query, bodyDigest.toString('hex')),
    sealingKey: (salt) => Buffer.from(hkdfSync('sha256', Buffer.concat([bodyDigest, Buffer.from(JSON.stringify([token, key]))]), salt, 'milkrun idempotency', 32)),
  };
}

const hash = (...parts: string[]): string => createHash('sha256').update(JSON.stringify(parts)).digest('hex');
