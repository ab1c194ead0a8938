import { Resolver } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { callbackify } from 'node:util';
import { isPublicAddress } from './public-address.ts';

export interface ResolvedAddress {
  address: string;
  family: number;
}
export type Resolve = (host: string) => Promise<ResolvedAddress[]>;

/** Told to the owner of the webhook: it names no address, so that nobody can look around in our network with it. */
export class RefusedTarget extends Error {
  override name = 'RefusedTarget';
  constructor() {
    super('the name leads to an address that is not public');
  }
}

const resolver = new Resolver({ timeout: 3_000, tries: 2 });

/**
 * Asks DNS without the threads that Node's ordinary look-up takes: a handful of names whose servers do not answer would hold up
 * everything else in this process.
 */
export const resolveByDns: Resolve = async (host) => {
  const [v4, v6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  const addresses = [
    ...(v4.status === 'fulfilled' ? v4.value.map((address) => ({ address, family: 4 })) : []),
    ...(v6.status === 'fulfilled' ? v6.value.map((address) => ({ address, family: 6 })) : []),
  ];
  if (addresses.length === 0) throw (v4 as PromiseRejectedResult).reason;
  return addresses;
};

/**
 * The look-up of a connection that may go to the public Internet only. What it answers is what is connected to: there is no second
 * resolution in which a name could lead elsewhere. One bad address among good ones refuses the name.
 */
export function publicLookup(resolve: Resolve): LookupFunction {
  const lookup = callbackify(async (host: string) => {
    const addresses = await resolve(host);
    if (addresses.some(({ address }) => !isPublicAddress(address))) throw new RefusedTarget();
    return addresses;
  });
  return (host, options, callback) => lookup(host, (error, addresses) => {
    if (error) callback(error, '');
    else if (options.all) callback(null, addresses);
    else callback(null, addresses[0].address, addresses[0].family);
  });
}
