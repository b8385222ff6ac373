import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Carries, in calls that this process makes to itself for a page, the visitor's address and the page behind a secret. */
const visitorHeader = 'x-storefront-visitor';
/** Of this process: nobody else can say whom a call is made for. */
const pass = Buffer.from(randomBytes(32).toString('base64url'));

/** The headers of a call to this process that is made for a visitor at the address, and for a page of that name. */
export function visitorHeaders(address: string, page = ''): Record<string, string> {
  return { [visitorHeader]: `${pass.toString()} ${address} ${page}`.trimEnd() };
}

type Call = Pick<IncomingMessage, 'headers'>;

/** What stands behind the secret; nothing in everybody else's calls. */
function wordsOf({ headers }: Call): string[] {
  const given = headers[visitorHeader];
  if (typeof given !== 'string') return [];
  const [word = '', ...words] = given.split(' ');
  const shown = Buffer.from(word);
  return shown.length === pass.length && timingSafeEqual(shown, pass) ? words : [];
}

/** The address of the visitor that this process itself makes the call for; undefined for everybody else's calls. */
export const visitorAddressOf = (call: Call): string | undefined => wordsOf(call)[0];

/** The page that this process itself makes the call for; undefined for calls that are made for none. */
export const visitedPageOf = (call: Call): string | undefined => wordsOf(call)[1];
