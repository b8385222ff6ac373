import { BlockList, isIPv4 } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { isPublicAddress } from '../../../../src/platform/net/addresses.js';

/** The IANA special-purpose registries, written down independently of the code. */
const RESERVED_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];
const RESERVED_IPV6 = [
  '::/96',
  '::ffff:0:0/96',
  '::ffff:0:0:0/96',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '100::/64',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
  '5f00::/16',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
];
const EDGES = RESERVED_IPV4.flatMap((cidr) => edgesOf(cidr));
const reserved = blockListOf(RESERVED_IPV4);

const anyIpv4 = fc.oneof(fc.nat(0xffffffff), fc.constantFrom(...EDGES)).map(toDotted);

describe('isPublicAddress', () => {
  it.each(['8.8.8.8', '1.1.1.1', '93.184.216.34', '172.32.0.1', '100.128.0.1', '2606:4700:4700::1111', '2a00:1450::8'])(
    'lets %s pass',
    (address) => expect(isPublicAddress(address)).toBe(true),
  );

  it.each([
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '127.0.0.1',
    '169.254.169.254',
    '168.63.129.16',
    '172.31.255.255',
    '192.168.1.1',
    '198.19.255.255',
    '255.255.255.255',
    '::',
    '::1',
    '::127.0.0.1',
    '::8.8.8.8',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '::ffff:0:127.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b:1::7f00:1',
    '100::1',
    '2001:0:4136:e378:8000:63bf:3fff:fdd2',
    '2001:db8::1',
    '2002:7f00:1::',
    '3fff::1',
    '4000::1',
    '5f00::1',
    'fd00::1',
    'fe80::1',
    'fec0::1',
    'ff02::1',
    'fd00:ec2::254',
  ])('stops %s', (address) => expect(isPublicAddress(address)).toBe(false));

  it.each(['', 'example.com', '8.8.8', '010.8.8.8', '2606:4700::1%eth0', '[2606:4700::1]', '8.8.8.8 ', '134744072'])(
    'stops what is no plain address: "%s"',
    (address) => expect(isPublicAddress(address)).toBe(false),
  );

  it('agrees with the registries on every IPv4 address', () => {
    fc.assert(
      fc.property(anyIpv4, (address) => expect(isPublicAddress(address)).toBe(!reserved.check(address))),
      { numRuns: 3000 },
    );
  });

  it('stops every IPv4 address that is wrapped into IPv6', () => {
    const wrappers = ['::', '::ffff:', '::ffff:0:', '64:ff9b::', '64:ff9b:1::', 'fe80::', 'fd00::'];
    fc.assert(
      fc.property(anyIpv4, fc.constantFrom(...wrappers), (address, wrapper) =>
        expect(isPublicAddress(wrapper + address)).toBe(false),
      ),
    );
  });

  it('stops every address of a reserved IPv6 network', () => {
    fc.assert(
      fc.property(fc.constantFrom(...RESERVED_IPV6), fc.bigInt({ min: 0n, max: 2n ** 128n - 1n }), (cidr, bits) => {
        const [network = '', prefix = ''] = cidr.split('/');
        const hostBits = 128n - BigInt(prefix);
        const address = toBits(network) | (bits & ((1n << hostBits) - 1n));
        expect(isPublicAddress(toIpv6(address))).toBe(false);
      }),
      { numRuns: 1000 },
    );
  });
});

function blockListOf(cidrs: string[]): BlockList {
  const list = new BlockList();
  for (const cidr of cidrs) {
    const [network = '', prefix] = cidr.split('/');
    list.addSubnet(network, Number(prefix), isIPv4(network) ? 'ipv4' : 'ipv6');
  }
  return list;
}

/** The address before a network, its first, its last and the one after it. */
function edgesOf(cidr: string): number[] {
  const [network = '', prefix] = cidr.split('/');
  const first = network.split('.').reduce((number, octet) => number * 256 + Number(octet), 0);
  const behind = first + 2 ** (32 - Number(prefix));
  return [first - 1, first, behind - 1, behind].filter((number) => number >= 0 && number <= 0xffffffff);
}

function toDotted(number: number): string {
  return [24, 16, 8, 0].map((shift) => (number >>> shift) & 255).join('.');
}

function groups(text: string): string[] {
  return text.split(':').filter((group) => group !== '');
}

function toBits(ipv6: string): bigint {
  const [head = '', tail = ''] = ipv6.split('::');
  const zeros = Array.from({ length: 8 - groups(head).length - groups(tail).length }, () => '0');
  const all = [...groups(head), ...zeros, ...groups(tail)];
  return all.reduce((bits, group) => (bits << 16n) | BigInt(`0x${group}`), 0n);
}

function toIpv6(bits: bigint): string {
  return Array.from({ length: 8 }, (_, index) => ((bits >> BigInt(112 - 16 * index)) & 0xffffn).toString(16)).join(':');
}
