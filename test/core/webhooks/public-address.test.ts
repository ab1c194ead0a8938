import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isPublicAddress } from '../../../core/webhooks/public-address.ts';

const open = [
  '1.1.1.1', '8.8.8.8', '9.255.255.255', '11.0.0.0', '93.184.216.34', '100.63.255.255', '100.128.0.0', '126.255.255.255', '128.0.0.0', '169.253.255.255', '169.255.0.0',
  '172.15.255.255', '172.32.0.0', '192.167.255.255', '192.169.0.0', '198.17.255.255', '198.20.0.0', '223.255.255.255',
  '2606:4700:4700::1111', '2a00:1450:4001:82a::200e', '2001:4860:4860::8888', '2001:200::1', '::ffff:8.8.8.8', '64:ff9b::808:808', '2002:808:808::1',
];

const closed: Record<string, string[]> = {
  'this machine': ['127.0.0.1', '127.255.255.255', '::1', '0:0:0:0:0:0:0:1'],
  unspecified: ['0.0.0.0', '0.1.2.3', '::'],
  private: ['10.0.0.1', '10.255.255.255', '172.16.0.1', '172.31.255.255', '192.168.0.1', '192.168.255.255', 'fc00::1', 'fdff:ffff::1', 'fec0::1'],
  'link-local': ['169.254.0.1', 'fe80::1', 'fe80::1%eth0', 'febf::1'],
  'carrier-grade NAT': ['100.64.0.1', '100.127.255.255'],
  multicast: ['224.0.0.1', '239.255.255.255', 'ff02::1', 'ff0e::1'],
  'reserved and broadcast': ['240.0.0.1', '255.255.255.255', '192.0.0.1', '192.88.99.1', '4000::1', '8000::1'],
  'documentation and tests': ['192.0.2.1', '198.51.100.7', '203.0.113.9', '198.18.0.1', '198.19.255.255', '2001:db8::1', '3fff::1'],
  'metadata of clouds': ['169.254.169.254', '169.254.170.2', '100.100.100.200', '192.0.0.192', '168.63.129.16', 'fd00:ec2::254'],
  'IPv4-mapped': ['::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:10.0.0.1', '::ffff:169.254.169.254', '0:0:0:0:0:ffff:c0a8:1'],
  'IPv4-compatible and translated': ['::127.0.0.1', '::8.8.8.8', '::ffff:0:127.0.0.1', '::ffff:0:8.8.8.8'],
  NAT64: ['64:ff9b::7f00:1', '64:ff9b::10.0.0.1', '64:ff9b::169.254.169.254', '64:ff9b:1::808:808'],
  '6to4': ['2002:7f00:1::', '2002:a00:1::1', '2002:c0a8:101::1', '2002:a9fe:a9fe::'],
  Teredo: ['2001::1', '2001:0:7f00:1::', '2001:0:4136:e378:8000:63bf:3fff:fdd2'],
  ISATAP: ['2a00:1450:4001::5efe:10.0.0.1', '2a00:1450:4001::200:5efe:7f00:1'],
  'no address at all': ['', 'localhost', '127.1', '0x7f000001', '1.1.1', '1.1.1.1.1', '01.1.1.1', ':::', '1::2::3', 'example.com'],
};

test.each(open)('%s is public', (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

test.each(Object.entries(closed).flatMap(([why, addresses]) => addresses.map((address) => [why, address])))('%s: %s is not public', (_why, address) => {
  expect(isPublicAddress(address)).toBe(false);
});

test('an IPv4 address is judged the same in every form of IPv6 that carries it', () => {
  const byte = fc.integer({ min: 0, max: 255 });
  fc.assert(fc.property(fc.tuple(fc.oneof(byte, fc.constantFrom(0, 10, 100, 127, 169, 172, 192, 198, 203, 224)), byte, byte, byte), (bytes) => {
    const v4 = bytes.join('.');
    const [high, low] = [bytes[0] * 256 + bytes[1], bytes[2] * 256 + bytes[3]].map((group) => group.toString(16));
    const isPublic = isPublicAddress(v4);
    for (const v6 of [`::ffff:${v4}`, `::ffff:${high}:${low}`, `64:ff9b::${v4}`, `2002:${high}:${low}::1`]) expect([v6, isPublicAddress(v6)]).toEqual([v6, isPublic]);
  }));
});

test('how an IPv6 address is written does not matter', () => {
  const group = fc.oneof(fc.integer({ min: 0, max: 0xffff }), fc.constantFrom(0, 0x2001, 0x2002, 0xfe80, 0xff02, 0xfd00));
  fc.assert(fc.property(fc.array(group, { minLength: 8, maxLength: 8 }), (groups) => {
    const long = groups.map((each) => each.toString(16).padStart(4, '0')).join(':');
    const short = new URL(`http://[${long}]`).hostname.slice(1, -1);
    expect([short, isPublicAddress(short)]).toEqual([short, isPublicAddress(long.toUpperCase())]);
  }));
});
