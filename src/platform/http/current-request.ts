import { AsyncLocalStorage } from 'node:async_hooks';
import type { Request, RequestHandler } from 'express';
import { forClient } from '../concurrency/client-disconnect.js';

/** A request that may change something, while it is handled. */
export interface CurrentRequest {
  request: Request;
  requestId: string;
}

const underWay = new AsyncLocalStorage<CurrentRequest>();

/** Methods that change nothing. */
const reads = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Remembers each caller, and each request that may change something, for all work on its behalf. */
export const rememberRequest: RequestHandler = (request, response, next) => {
  forClient(response, () => {
    if (reads.has(request.method)) return next();
    underWay.run({ request, requestId: String(response.getHeader('x-request-id')) }, next);
  });
};

/** The request on whose behalf the work in progress runs; undefined in jobs, at the start, and for reads. */
export function currentRequest(): CurrentRequest | undefined {
  return underWay.getStore();
}
