import { isIP } from 'node:net';
import { isPublicAddress } from './addresses.js';
import { allowsAddress, type EgressAllow } from './egress-allow.js';
import { TargetRefused } from './target-errors.js';
import { parseUrl } from '../../config/parse-url.js';

/**
 * Reads the address of an outbound request (WHATWG URL, which turns every odd spelling of an IP address into the usual
 * one) and returns it; throws `TargetRefused` unless it is an http or https URL that requests may reach, as far as the text
 * shows. A host name is checked later, when it is resolved.
 */
export function parseTarget(text: string, allow: EgressAllow, base?: URL): URL {
  const url = parseUrl(text, base);
  if (!url) {
    throw new TargetRefused('The address is not a valid URL: write it in full, like https://example.com/page');
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new TargetRefused(`The address must begin with http:// or https://, not ${url.protocol}`);
  }
  // Unspecified: credentials in a URL are refused: they end up in logs and answers, and headers can carry them.
  if (url.username !== '' || url.password !== '') {
    throw new TargetRefused('The address must not contain a user name or password: remove the part before the @');
  }
  if (url.port === '0') throw new TargetRefused('Port 0 cannot be reached: omit the port or give another');
  const literal = literalAddress(url);
  if (literal !== null && !isReachable(literal, allow)) throw refusedHost(url.hostname);
  return url;
}

/** Whether a connection to `address` may be opened. */
export function isReachable(address: string, allow: EgressAllow): boolean {
  return isPublicAddress(address) || allowsAddress(allow, address);
}

/** The refusal of a host whose address, or one of whose addresses, may not be reached. */
export function refusedHost(host: string): TargetRefused {
  return new TargetRefused(`${host} leads to a private or reserved network: give a public address`);
}

/** The IP address that stands in the URL in place of a host name, or null. */
export function literalAddress(url: URL): string | null {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return isIP(host) === 0 ? null : host;
}
