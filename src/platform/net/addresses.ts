import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The IPv6 space of the public internet: everything else is reserved (IANA IPv6 Global Unicast Address Space). */
const PUBLIC_IPV6 = ipaddr.IPv6.parse('2000::');
const PUBLIC_IPV6_PREFIX = 3;

/** Public by its number, but inside Azure's machines the address of the platform that has their secrets. */
const AZURE_PLATFORM = '168.63.129.16';

/**
 * Whether `address` (an IP address in its usual spelling) lies in public unicast space: false for private, loopback,
 * link-local, shared, documentation, multicast and reserved ranges (IANA special-purpose registries), for every IPv6
 * form that carries an IPv4 address within (mapped, compatible, translated, NAT64, 6to4, Teredo), for an address with
 * a zone, and for anything that is not an address.
 */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0 || address.includes('%')) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  if (parsed.kind() === 'ipv4') return parsed.toString() !== AZURE_PLATFORM;
  return parsed.match(PUBLIC_IPV6, PUBLIC_IPV6_PREFIX);
}
