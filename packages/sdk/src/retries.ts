import { retryAfterOf } from './store-api-error.js';
import { cloneOf } from './upload-progress.js';

export interface RetryOptions {
  /** How often a request is repeated at most: 3 by default, 0 for never. */
  limit?: number;
  /** The longest first wait; it doubles with each repetition: 250 by default. */
  delayMs?: number;
  /** The longest wait. If the service asks for a longer one, the request is not repeated: 20,000 by default. */
  maxDelayMs?: number;
  /** Which requests are repeated: by default reads, and those with an Idempotency-Key. */
  requests?: (request: Request) => boolean;
  /** After which answers, or `undefined` for a lost connection: by default that, and 408, 429, 502, 503 and 504. */
  answers?: (response: Response | undefined) => boolean;
  /** Called before each wait. */
  onWait?: (ms: number) => void;
}

type Send = (request: Request) => Promise<Response>;

/** With these, the service has not done the work, or can safely be asked again. */
const passing = new Set([408, 429, 502, 503, 504]);

export function isPassing(response: Response | undefined): boolean {
  return !response || passing.has(response.status);
}

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
  { limit = 3, delayMs = 250, maxDelayMs = 20_000, requests = isSafe, answers = isPassing, onWait }: RetryOptions = {},
): Send {
  async function attempt(request: Request, attempts: number): Promise<Response> {
    const isLast = attempts >= limit || !requests(request);
    const next = isLast ? undefined : cloneOf(request);
    let ms = Math.random() * Math.min(maxDelayMs, delayMs * 2 ** attempts);
    try {
      const response = await send(request);
      if (!next || !answers(response)) return response;
      const seconds = retryAfterOf(response);
      if (seconds !== undefined) ms += seconds * 1_000;
      if (ms > maxDelayMs + delayMs) return response;
      // Not awaited: it ends with the last copy of the body.
      void response.body?.cancel().catch(() => undefined);
    } catch (error) {
      if (!next || request.signal.aborted || !answers(undefined)) throw error;
    }
    onWait?.(ms);
    await wait(ms, request.signal);
    return attempt(next, attempts + 1);
  }
  return (request) => attempt(request, 0);
}
