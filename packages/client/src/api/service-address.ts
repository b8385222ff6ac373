import { exitCodes, Failure } from '../failure.js';
import { parseUrl } from '../parse-url.js';

export const usualAddress = 'http://127.0.0.1:3000';

function withoutSlashesAtTheEnd(text: string): string {
  let end = text.length;
  while (text[end - 1] === '/') end--;
  return text.slice(0, end);
}

/** The service's address without a trailing slash, given with or without its /api/v1; `name` says where it comes from. */
export function serviceAddress(given: string, name = 'STORE_API_URL'): string {
  const refuse = (why: string): never => {
    throw new Failure(`${name} ${why}. Give the address of the service, such as ${usualAddress}`, exitCodes.usage);
  };
  const url = parseUrl(given) ?? refuse(`is no address: "${given}"`);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    refuse(`does not begin with http:// or https://: "${given}"`);
  // The message does not repeat the address, which contains a name or password.
  if (url.username || url.password) refuse('holds a name or password; the key belongs into STORE_API_KEY');
  return `${url.origin}${withoutSlashesAtTheEnd(url.pathname).replace(/\/api\/v1$/, '')}`;
}

/** An API key; it is never an argument, which other users of the machine could read. */
export function readKey(given: string, name = 'STORE_API_KEY'): string {
  const key = given.trim();
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw new Failure(`${name} holds characters that no API key has: copy it again`, exitCodes.notAllowed);
}
