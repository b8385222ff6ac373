import { SetMetadata } from '@nestjs/common';
import type { Request } from 'express';
import type { Route } from '../auth/route-list.js';

const streamedBodyKey = Symbol('streamed body');

/** Leaves the body of a route to its handler, which reads it as a stream and within bounds of its own. */
export function StreamedBody(): MethodDecorator {
  return SetMetadata(streamedBodyKey, true);
}

/** Whether a request leads to a route that reads its body itself. */
export type ReadsItsBody = (request: Pick<Request, 'method' | 'path'>) => boolean;

/** Recognizes requests of routes with `@StreamedBody()` by method and path, which Express matches without case. */
export function readersOfBodies(routes: Route[]): ReadsItsBody {
  const streamed = routes
    .filter(({ target }) => Reflect.hasMetadata(streamedBodyKey, target))
    .map(({ method, path }) => ({ method, pattern: new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}/?$`, 'i') }));
  return ({ method, path }) => streamed.some((route) => route.method === method && route.pattern.test(path));
}
