import type { Quota } from '../../config/quotas.js';

/**
 * The header fields by which a refusal names the quota that is used up, for programs: draft-ietf-httpapi-ratelimit-headers,
 * sections 3 and 4. `w` is a rate's window and `t` the seconds until it resets; a quota of what is held has neither.
 */
export function rateLimitFields({ name, limit, windowSeconds }: Quota, resetSeconds?: number): Record<string, string> {
  const window = windowSeconds === undefined ? '' : `;w=${windowSeconds}`;
  const reset = resetSeconds === undefined ? '' : `;t=${Math.max(1, Math.ceil(resetSeconds))}`;
  return { 'RateLimit-Policy': `"${name}";q=${limit}${window}`, RateLimit: `"${name}";r=0${reset}` };
}
