import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';
import proxyAddress from 'proxy-addr';
import type { Settings } from '../../config/settings.js';
import { visitorAddressOf } from './visitor-address.js';

/** Whether the peer at an address, so many hops away, is a trusted proxy. */
export type TrustsProxy = (address: string, hops: number) => boolean;

/** Trusts so many hops, or the addresses and ranges of a comma list. */
export function trustsProxyOf({ trustProxy }: Pick<Settings, 'trustProxy'>): TrustsProxy {
  if (trustProxy === false) return () => false;
  if (typeof trustProxy === 'number') return (_, hops) => hops < trustProxy;
  return proxyAddress.compile(trustProxy.split(',').map((range) => range.trim()));
}

/** The address of callers without a trustworthy one; limits count all of these as one. */
export const unknownAddress = 'unknown';

/** The number of 16-bit groups of an IPv6 address that name one subscriber's network: a /64 (RFC 6177). */
const groupsOfSubscriber = 4;

/** Whether an address is this machine's own: its clients are trusted not to flood. */
export function isLoopback(address: string): boolean {
  return address === '127.0.0.1' || (ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback');
}

/** Whom the service believes about addresses. */
export interface AddressTrust {
  proxy: TrustsProxy;
  /** Whether limits spare this machine's own clients, which they do in development alone. */
  loopback: boolean;
}

/**
 * The address that a request comes from, behind trusted proxies; `unknown`, which limits count, if it cannot be known.
 * A trusted proxy that forwards no address hides everybody behind its own. Limits spare loopback, so neither a header
 * nor a proxy on this machine may make a caller look like it: in production nothing does, since the peer may be such a
 * proxy. A call that the shop front in this process makes comes from its visitor.
 */
export function callerAddressOf(request: IncomingMessage, trusts: AddressTrust): string {
  const visitor = visitorAddressOf(request);
  if (visitor !== undefined) return visitor;
  const { remoteAddress } = request.socket;
  if (remoteAddress === undefined) return unknownAddress;
  const { forwarded, 'x-forwarded-for': forwardedFor } = request.headers;
  if (forwardedFor === undefined && trusts.proxy(remoteAddress, 0)) return unknownAddress;
  const address = forwardedFor === undefined ? remoteAddress : proxyAddress(request, trusts.proxy);
  const isOwn = trusts.loopback && forwardedFor === undefined && forwarded === undefined;
  return isLoopback(address) && !isOwn ? unknownAddress : address;
}

/** An address as it is kept on record: the embedded IPv4 address rather than its IPv6 form, without a zone. */
export function recordedAddressOf(address: string | undefined): string {
  const text = address?.split('%')[0] ?? '';
  return ipaddr.isValid(text) ? ipaddr.process(text).toString() : unknownAddress;
}

/** The key of an address in limits: the address, or the /64 that one IPv6 subscriber has. */
export function limitKeyOf(address: string | undefined): string {
  const text = address?.split('%')[0] ?? '';
  if (!ipaddr.isValid(text)) return unknownAddress;
  const parsed = ipaddr.process(text);
  if (parsed.range() === 'loopback') return 'loopback';
  if (parsed instanceof ipaddr.IPv6) return `${parsed.parts.slice(0, groupsOfSubscriber).join(':')}::/64`;
  return parsed.toString();
}

/** Whether limits count this key at all: they do not count this machine's own clients. */
export function isLimited(key: string): boolean {
  return key !== 'loopback';
}

/** The key that limits count an address under; undefined if they do not count it. */
export function limitedAddressOf(address: string | undefined): string | undefined {
  const key = limitKeyOf(address);
  return isLimited(key) ? key : undefined;
}
