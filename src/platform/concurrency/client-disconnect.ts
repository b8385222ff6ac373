import { AsyncLocalStorage } from 'node:async_hooks';
import type { ServerResponse } from 'node:http';

const responses = new AsyncLocalStorage<ServerResponse>();

/** Runs `work` on behalf of a caller who waits for this response. */
export function forClient<T>(response: ServerResponse, work: () => T): T {
  return responses.run(response, work);
}

/**
 * Calls `listener` when the caller for whom this runs hangs up before the response; returns how to stop listening. Never
 * called in jobs, nor for a response that memory shares among callers.
 */
export function onClientDisconnect(listener: () => void): () => void {
  const response = responses.getStore();
  if (!response || response.writableEnded) return () => undefined;
  if (response.destroyed) queueMicrotask(listener);
  else response.once('close', listener);
  return () => response.off('close', listener);
}
