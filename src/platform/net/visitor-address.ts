import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Carries, in calls that this process makes to itself for a visitor of its pages, their address behind a secret. */
const visitorHeader = 'x-storefront-visitor';
/** Of this process: nobody else can say whom a call is made for. */
const pass = Buffer.from(randomBytes(32).toString('base64url'));

/** The headers of a call to this process that is made for a visitor at the address. */
export function visitorHeaders(address: string): Record<string, string> {
  return { [visitorHeader]: `${pass.toString()} ${address}` };
}

/** The address of the visitor that this process itself makes the call for; undefined for everybody else's calls. */
export function visitorAddressOf({ headers }: Pick<IncomingMessage, 'headers'>): string | undefined {
  const given = headers[visitorHeader];
  if (typeof given !== 'string') return undefined;
  const [word = '', address] = given.split(' ');
  const shown = Buffer.from(word);
  const isOurs = shown.length === pass.length && timingSafeEqual(shown, pass);
  return isOurs ? address : undefined;
}
