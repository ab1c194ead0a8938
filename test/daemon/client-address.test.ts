import type { IncomingMessage } from 'node:http';
import { expect, test } from '@jest/globals';
import { clientAddress, trustedProxies } from '../../daemon/client-address.ts';

const request = (remoteAddress: string, forwarded?: string) => ({ socket: { remoteAddress }, headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded } }) as unknown as IncomingMessage;
const proxies = trustedProxies(['10.0.0.0/8', 'fd00::/8', '127.0.0.1']);

test.each([
  ['nobody is trusted', '203.0.113.7', '198.51.100.1', null, '203.0.113.7'],
  ['a stranger says anything', '203.0.113.7', '198.51.100.1', proxies, '203.0.113.7'],
  ['a proxy says who it was', '10.0.0.1', '198.51.100.1', proxies, '198.51.100.1'],
  ['a client lies to the proxy', '10.0.0.1', '1.1.1.1, 198.51.100.1', proxies, '198.51.100.1'],
  ['two proxies stand in a row', '10.0.0.1', '198.51.100.1, 10.0.0.2', proxies, '198.51.100.1'],
  ['only proxies are named', '10.0.0.1', '10.0.0.3, 10.0.0.2', proxies, '10.0.0.3'],
  ['a proxy says nothing', '10.0.0.1', undefined, proxies, '10.0.0.1'],
  ['a proxy passes on nonsense', '10.0.0.1', 'unknown, 10.0.0.2', proxies, '10.0.0.2'],
  ['ports and brackets are no part of it', 'fd00::1', '[2001:db8::5]:4711', proxies, '2001:db8::5'],
  ['IPv4 comes in the clothes of IPv6', '::ffff:127.0.0.1', '::ffff:198.51.100.1', proxies, '198.51.100.1'],
])('%s', (_case, remote, forwarded, trusted, expected) => {
  expect(clientAddress(request(remote, forwarded), trusted)).toBe(expected);
});
