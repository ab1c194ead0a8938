import { isIP } from 'node:net';
import { isPublicAddress } from './public-address.ts';

/** `public`: HTTPS to the public Internet. `any`, for development: plain HTTP and private networks as well. */
export type Targets = 'public' | 'any';

/** What is wrong with a destination as it is written; where its name leads is seen when it is connected to. Null where nothing is. */
export function targetProblem(text: string, targets: Targets): string | null {
  const url = URL.parse(text);
  if (url === null) return 'must be a URL';
  if (/[\s\p{Cc}\\]/u.test(text)) return 'must not contain spaces, control characters or backslashes';
  if (url.protocol !== 'https:' && !(targets === 'any' && url.protocol === 'http:')) return targets === 'any' ? 'must begin with https:// or http://' : 'must begin with https://';
  if (url.username !== '' || url.password !== '') return 'must not contain credentials';
  if (text.includes('#')) return 'must not contain a fragment';
  const host = literalOf(url);
  if (targets === 'public' && (isLocalName(host) || (isIP(host) !== 0 && !isPublicAddress(host)))) return 'must lead to a public address';
  return null;
}

/** The host without the brackets of IPv6. URLs give every spelling of an IPv4 address (hexadecimal, one number) as four decimals. */
export const literalOf = (url: URL): string => url.hostname.replace(/^\[(.*)\]$/, '$1');

const isLocalName = (host: string): boolean => /(^|\.)localhost\.?$/.test(host);
