import { retryAfterOf } from './store-api-error.js';
import { cloneOf } from './upload-progress.js';

export interface RetryOptions {
  /** How often a request is repeated at most: 3 where left out, and 0 repeats none. */
  limit?: number;
  /** The first wait is up to this long, each further one up to twice as long as the one before: 250 where left out. */
  delayMs?: number;
  /** The longest wait. What the service wants waited longer for is not repeated: 20,000 where left out. */
  maxDelayMs?: number;
}

type Send = (request: Request) => Promise<Response>;

/** Of these it is known that the service did not do what was asked, or can be asked the same again. */
const passing = new Set([408, 429, 502, 503, 504]);

function isSafe({ method, headers }: Request): boolean {
  return method === 'GET' || method === 'HEAD' || headers.has('idempotency-key');
}

/** Resolves after a while; rejects as soon as the signal aborts. */
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
 * Repeats what is safe to repeat, reads and whatever carries an Idempotency-Key, after a lost connection or an answer that
 * will pass. It waits as Retry-After says, else for a random part of an exponential backoff.
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
      // Not awaited: it ends when the last copy of the body does.
      void response.body?.cancel().catch(() => undefined);
    } catch (error) {
      if (!next || request.signal.aborted) throw error;
    }
    await wait(ms, request.signal);
    return attempt(next, attempts + 1);
  }
  return (request) => attempt(request, 0);
}
