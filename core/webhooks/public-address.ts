import { isIP, isIPv4 } from 'node:net';

/**
 * Is this the address of a machine on the public Internet? Everything else is refused: the machine itself, private and local
 * networks, carrier-grade NAT, multicast, the unspecified address, ranges for documentation and tests, addresses at which clouds keep
 * their metadata, and every form of IPv6 that carries such an IPv4 address inside.
 */
export function isPublicAddress(address: string): boolean {
  const text = address.replace(/%.*$/, '');
  switch (isIP(text)) {
    case 4: return isPublicV4(bytesOfV4(text));
    case 6: return isPublicV6(bytesOfV6(text));
    default: return false;
  }
}

type Bytes = readonly number[];

/** IANA's special-purpose registry for IPv4, multicast, what is reserved, and one metadata address among public ones. */
const closedV4 = [
  '0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24', '192.0.2.0/24',
  '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4', '168.63.129.16/32',
].map(parseNetwork);

/** Parts of the global unicast range that are not what they seem: protocol assignments, documentation. */
const closedV6 = ['2001::/23', '2001:db8::/32', '3fff::/20', '5f00::/16'].map(parseNetwork);
const globalV6 = parseNetwork('2000::/3');

/** Where an IPv6 address carries an IPv4 address: at which byte, and whether its bits are inverted. */
const carriers = [
  { network: parseNetwork('::ffff:0:0/96'), at: 12 }, // IPv4-mapped
  { network: parseNetwork('64:ff9b::/96'), at: 12 }, // NAT64
  { network: parseNetwork('2002::/16'), at: 2 }, // 6to4
];

function isPublicV4(bytes: Bytes): boolean {
  return !closedV4.some((network) => isWithin(bytes, network));
}

function isPublicV6(bytes: Bytes): boolean {
  const carrier = carriers.find(({ network }) => isWithin(bytes, network));
  if (carrier) return isPublicV4(bytes.slice(carrier.at, carrier.at + 4));
  // Teredo lies in 2001::/23; local NAT64, IPv4-compatible, unique local, link-local and multicast lie outside of 2000::/3.
  if (!isWithin(bytes, globalV6) || closedV6.some((network) => isWithin(bytes, network))) return false;
  // ISATAP: the interface carries an IPv4 address behind 0:5efe, whatever the network.
  const isIsatap = (bytes[8] & 0xfd) === 0 && bytes[9] === 0 && bytes[10] === 0x5e && bytes[11] === 0xfe;
  return !isIsatap || isPublicV4(bytes.slice(12));
}

interface Network {
  bytes: Bytes;
  bits: number;
}

function parseNetwork(text: string): Network {
  const [address, bits] = text.split('/');
  return { bytes: isIPv4(address) ? bytesOfV4(address) : bytesOfV6(address), bits: Number(bits) };
}

function isWithin(bytes: Bytes, { bytes: network, bits }: Network): boolean {
  if (bytes.length !== network.length) return false;
  return network.every((byte, index) => {
    const open = Math.min(8, Math.max(0, (index + 1) * 8 - bits));
    return bytes[index] >> open === byte >> open;
  });
}

function bytesOfV4(text: string): number[] {
  return text.split('.').map(Number);
}

/** Of an address that `isIPv6` has passed. */
function bytesOfV6(text: string): number[] {
  const [head, tail] = text.split('::').map(groupsOf);
  const groups = tail === undefined ? head : [...head, ...Array.from({ length: 8 - head.length - tail.length }, () => 0), ...tail];
  return groups.flatMap((group) => [group >> 8, group & 0xff]);
}

function groupsOf(text: string): number[] {
  if (text === '') return [];
  return text.split(':').flatMap((part) => {
    if (!part.includes('.')) return [parseInt(part, 16)];
    const [a, b, c, d] = bytesOfV4(part);
    return [(a << 8) | b, (c << 8) | d];
  });
}
