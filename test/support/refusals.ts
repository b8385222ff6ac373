import type { ApiAnswer } from './api-client.js';

function isProblem(problem: unknown): boolean {
  const { loc, msg, type } = (problem ?? {}) as Record<string, unknown>;
  return Array.isArray(loc) && loc.length > 0 && typeof msg === 'string' && typeof type === 'string';
}

/** What keeps an answer from being a refusal as the interface description has it, or null. */
export function faultOfRefusal({ status, headers, body }: ApiAnswer<unknown>): string | null {
  if (status < 400 || status > 499) return `${status} is no refusal of the client's`;
  if (!headers.get('x-request-id')) return 'no x-request-id';
  const { detail, code } = (body ?? {}) as Record<string, unknown>;
  if (status === 422)
    return Array.isArray(detail) && detail.length > 0 && detail.every(isProblem) ? null : '422 without problems';
  return typeof detail === 'string' && /^[a-z_]+$/.test(String(code)) ? null : `${status} without detail and code`;
}

/** What keeps an answer from being one that any input may get: an answer that is no refusal, or a proper refusal. */
export function faultOfAnswer(answer: ApiAnswer<unknown>): string | null {
  if (answer.status < 400) return answer.headers.get('x-request-id') ? null : 'no x-request-id';
  return faultOfRefusal(answer);
}
