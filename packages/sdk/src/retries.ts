import { retryAfterOf } from './store-api-error.js';
import { cloneOf } from './upload-progress.js';

export interface RetryOptions {
  /** How often a request is repeated at most: 3 by default, 0 for never. */
  limit?: number;
  /** The longest first wait; it doubles with each repetition: 250 by default. */
  delayMs?: number;
  /** The longest wait. If the service asks for a longer one, the request is not repeated: 20,000 by default. */
  maxDelayMs?: number;
}

type Send = (request: Request) => Promise<Response>;

/** With these, the service has not done the work, or can safely be asked again. */
const passing = new Set([408, 429, 502, 503, 504]);

function isSafe({ method, headers }: Request): boolean {
  return method === 'GET' || method === 'HEAD' || headers.has('idempotency-key');
}

/** Resolves after the wait; rejects as soon as the signal aborts. */
function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}

/**
 * Repeats what is safe to repeat, reads and requests with an Idempotency-Key, after a lost connection or a temporary
 * failure. Waits as long as Retry-After says, or a random part of an exponential backoff.
 */
export function withRetries(
  send: Send,
  { limit = 3, delayMs = 250, maxDelayMs = 20_000 }: RetryOptions = {},
  mayRepeat = isSafe,
): Send {
  async function attempt(request: Request, attempts: number): Promise<Response> {
    const isLast = attempts >= limit || !mayRepeat(request);
    const next = isLast ? undefined : cloneOf(request);
    let ms = Math.random() * Math.min(maxDelayMs, delayMs * 2 ** attempts);
    try {
      const response = await send(request);
      if (!next || !passing.has(response.status)) return response;
      const seconds = retryAfterOf(response);
      if (seconds !== undefined) ms += seconds * 1_000;
      if (ms > maxDelayMs + delayMs) return response;
      // Not awaited: it ends with the last copy of the body.
      void response.body?.cancel().catch(() => undefined);
    } catch (error) {
      if (!next || request.signal.aborted) throw error;
    }
    await wait(ms, request.signal);
    return attempt(next, attempts + 1);
  }
  return (request) => attempt(request, 0);
}
