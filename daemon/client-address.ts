import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';

/**
 * Where a request comes from. What proxies say is believed only of those that the configuration trusts: `X-Forwarded-For` is read from
 * its end, where the nearest proxy has written, up to the first address that is not one of ours.
 */
export function clientAddress(request: IncomingMessage, trusted: BlockList | null): string {
  const nearest = plainAddress(request.socket.remoteAddress ?? '');
  if (trusted === null || !isTrusted(trusted, nearest)) return nearest;
  const said = String(request.headers['x-forwarded-for'] ?? '').split(',').map((part) => plainAddress(part.trim())).filter((part) => part !== '');
  let client = nearest;
  for (const address of said.toReversed()) {
    // Nonsense in the list: the last address that somebody trusted has vouched for counts.
    if (isIP(address) === 0) return client;
    client = address;
    if (!isTrusted(trusted, address)) return client;
  }
  return client;
}

/** Without port and brackets; IPv4 in the clothes of IPv6 is IPv4. */
function plainAddress(text: string): string {
  const bare = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? (/^\d+\.\d+\.\d+\.\d+:\d+$/.test(text) ? text.split(':')[0] : text);
  return bare.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '').replace(/%.*$/, '').toLowerCase();
}

const isTrusted = (trusted: BlockList, address: string): boolean => isIP(address) !== 0 && trusted.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** The addresses and networks of the configuration; null where none are trusted. */
export function trustedProxies(networks: readonly string[]): BlockList | null {
  if (networks.length === 0) return null;
  const list = new BlockList();
  for (const network of networks) {
    const [address, prefix] = network.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(prefix), family);
  }
  return list;
}
