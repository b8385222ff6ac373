import type { ServerResponse } from 'node:http';
import { type ReleaseScope, Scope } from './scope.js';

const responses = new Scope<ServerResponse>();

/** How long work may go on for a caller who hung up: longer than any request takes. */
const mostAfterHangUpMs = 3_600_000;

/** Calls `release` when a response is complete, or when its caller hung up: the work for it may go on then. */
export function releaseAfter(response: ServerResponse, release: ReleaseScope): void {
  response.once('close', () => release(response.writableFinished ? 0 : mostAfterHangUpMs));
}

/** Runs `work` on behalf of a caller who waits for this response. */
export function forCaller<T>(response: ServerResponse, work: () => T): T {
  releaseAfter(response, responses.hold());
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
