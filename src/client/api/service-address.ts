import { exitCodes, Failure } from '../failure.js';

const fallback = 'http://127.0.0.1:3000';

function refuse(why: string): never {
  throw new Failure(`STORE_API_URL ${why}. Give the address of the service, such as ${fallback}`, exitCodes.usage);
}

function withoutSlashesAtTheEnd(text: string): string {
  let end = text.length;
  while (text[end - 1] === '/') end--;
  return text.slice(0, end);
}

/** The address of the service without a final slash: STORE_API_URL, with or without its /api/v1. */
export function serviceAddress(env: NodeJS.ProcessEnv): string {
  const given = env['STORE_API_URL']?.trim() || fallback;
  const url = URL.canParse(given) ? new URL(given) : refuse(`is no address: "${given}"`);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    refuse(`does not begin with http:// or https://: "${given}"`);
  // The message does not repeat the address, which contains a name or password.
  if (url.username || url.password) refuse('holds a name or password; the key belongs into STORE_API_KEY');
  return `${url.origin}${withoutSlashesAtTheEnd(url.pathname).replace(/\/api\/v1$/, '')}`;
}

/** The API key, null without one. It is never an argument, which other users of the machine could read. */
export function apiKey(env: NodeJS.ProcessEnv): string | null {
  const key = env['STORE_API_KEY']?.trim();
  if (!key) return null;
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new Failure('STORE_API_KEY holds characters that no API key has: copy it again', exitCodes.notAllowed);
  }
  return key;
}
