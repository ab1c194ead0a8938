import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** What a token is for, readable from its first characters. */
export const tokenPrefixes = { session: 'ms', driver: 'md', key: 'mk', activation: 'ma', invitation: 'mi' } as const;
export type TokenKind = keyof typeof tokenPrefixes;

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const secretBytes = 32;
const secretDigits = 43; // 62^43 > 2^256
const checksumDigits = 6; // 62^6 > 2^32

function base62(value: bigint, length: number): string {
  let text = '';
  for (let rest = value; text.length < length; rest /= 62n) text = digits[Number(rest % 62n)] + text;
  return text;
}

const checksumOf = (text: string): string => base62(BigInt(crc32(text)), checksumDigits);

/** A prefix, 256 random bits in base62 and a checksum over both. */
export function newToken(kind: TokenKind): string {
  const secret = base62(BigInt(`0x${randomBytes(secretBytes).toString('hex')}`), secretDigits);
  const body = `${tokenPrefixes[kind]}_${secret}`;
  return body + checksumOf(body);
}

/** The kind of a well-formed token; null for anything mistyped, so that it never costs a read of the database. */
export function tokenKind(token: string): TokenKind | null {
  const match = /^(m[a-z])_([0-9A-Za-z]{49})$/.exec(token);
  if (match === null) return null;
  const body = token.slice(0, -checksumDigits);
  if (checksumOf(body) !== token.slice(-checksumDigits)) return null;
  const found = Object.entries(tokenPrefixes).find(([, prefix]) => prefix === match[1]);
  return found ? (found[0] as TokenKind) : null;
}

/** The only form in which a token is stored. */
export const tokenHash = (token: string): string => createHash('sha256').update(token).digest('hex');
