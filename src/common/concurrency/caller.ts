import type { ServerResponse } from 'node:http';
import { Scope } from './scope.js';

const responses = new Scope<ServerResponse>();

/** How long work that waits may go on for a caller who hung up. */
const mostWaitMs = 60_000;

/**
 * Calls `release` when the work for a response is over: when it is complete, or where the caller hung up before, when it would
 * have been; at most so long after that.
 */
export function releaseAfter(response: ServerResponse, release: () => void, mostMs: number): void {
  const whenClosed = (): void => {
    if (response.writableEnded) return release();
    const late = setTimeout(release, mostMs).unref();
    const end = response.end.bind(response);
    response.end = ((...answer: Parameters<typeof end>) => {
      clearTimeout(late);
      release();
      return end(...answer);
    }) as typeof end;
  };
  // A caller may have hung up before this is asked.
  if (response.closed) whenClosed();
  else response.once('close', whenClosed);
}

/** Runs `work` on behalf of a caller who waits for this response. */
export function forCaller<T>(response: ServerResponse, work: () => T): T {
  releaseAfter(response, responses.hold(), mostWaitMs);
  return responses.enter(response, work);
}

/**
 * Calls `listener` when the caller for whom this runs hangs up before the response; returns how to stop listening. Never
 * called in jobs, nor for a response that memory shares among callers.
 */
export function onCallerGone(listener: () => void): () => void {
  const response = responses.current;
  if (!response || response.writableEnded) return () => undefined;
  if (response.destroyed) queueMicrotask(listener);
  else response.once('close', listener);
  return () => response.off('close', listener);
}
