import { sign, type KeyObject } from 'node:crypto';

/** A signed JSON web token (RFC 7519): ES256 with an elliptic key, RS256 with an RSA key. */
export function webToken(key: KeyObject, header: Record<string, string>, claims: Record<string, unknown>): string {
  const alg = key.asymmetricKeyType === 'ec' ? 'ES256' : 'RS256';
  const signed = `${encode({ alg, typ: 'JWT', ...header })}.${encode(claims)}`;
  // The two numbers of an elliptic signature stand side by side, without the wrapping that certificates give them.
  const signature = sign('sha256', Buffer.from(signed), { key, ...(alg === 'ES256' ? { dsaEncoding: 'ieee-p1363' as const } : {}) });
  return `${signed}.${signature.toString('base64url')}`;
}

const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');
