import { parseUrl } from '../../config/parse-url.js';
import type { Settings } from '../../config/settings.js';
import { Invalid } from '../../platform/errors/invalid.js';

/** Throws `Invalid` for an address to which the service sends no browser: only its own origin and those listed are. */
export function assertReturnUrl(sent: string, own: string, { publicUrl, storefrontUrl, corsOrigins }: Settings): void {
  const url = parseUrl(sent);
  const origin = url?.origin ?? 'null';
  const anyPort = origin.replace(/:\d{1,5}$/, '');
  const isListed = corsOrigins.includes(origin) || corsOrigins.includes(`${anyPort}:*`);
  const isOwn = [publicUrl, storefrontUrl, own].some((one) => one !== undefined && parseUrl(one)?.origin === origin);
  const isPlain = url?.username === '' && url.password === '' && /^https?:$/.test(url.protocol);
  if (isPlain && (isListed || isOwn)) return;
  const msg = 'Input should be an http(s) URL of an origin in PUBLIC_URL, STOREFRONT_URL or CORS_ORIGINS';
  throw Invalid.at(['body', 'return_url'], 'value_error', msg, sent);
}
