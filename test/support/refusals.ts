import type { ApiAnswer } from './api-client.js';

function isProblem(problem: unknown): boolean {
  const { loc, msg, type } = (problem ?? {}) as Record<string, unknown>;
  return Array.isArray(loc) && loc.length > 0 && typeof msg === 'string' && typeof type === 'string';
}

/** The reason why a response is not a refusal as described by the interface description, or null. */
export function faultOfRefusal({ status, headers, body }: ApiAnswer<unknown>): string | null {
  if (status < 400 || status > 499) return `${status} is no refusal of the client's`;
  if (!headers.get('x-request-id')) return 'no x-request-id';
  const { detail, code } = (body ?? {}) as Record<string, unknown>;
  if (status === 422)
    return Array.isArray(detail) && detail.length > 0 && detail.every(isProblem) ? null : '422 without problems';
  return typeof detail === 'string' && /^[a-z_]+$/.test(String(code)) ? null : `${status} without detail and code`;
}

/** The reason why a response is one that no input may get, being neither a success nor a proper refusal; or null. */
export function faultOfAnswer(answer: ApiAnswer<unknown>): string | null {
  if (answer.status < 400) return answer.headers.get('x-request-id') ? null : 'no x-request-id';
  return faultOfRefusal(answer);
}
