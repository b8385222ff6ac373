import { SetMetadata } from '@nestjs/common';
import type { ModulesContainer } from '@nestjs/core';
import type { Request } from 'express';
import { type Route, routesOf } from '../auth/route-list.js';

const streamedBodyKey = Symbol('streamed body');

/** Leaves the body of a route to its handler, which reads it as a stream and within bounds of its own. */
export function StreamedBody(): MethodDecorator {
  return SetMetadata(streamedBodyKey, true);
}

/** Whether a request leads to a route that reads its body itself. */
export type ReadsItsBody = (request: Pick<Request, 'method' | 'path'>) => boolean;

/** The segments of a path as Express compares them: without case, and with one slash at the end or none. */
function segmentsOf(path: string): string[] {
  const trimmed = path.endsWith('/') ? path.slice(0, -1) : path;
  return trimmed.toLowerCase().split('/');
}

function leadsTo(route: string[], asked: string[]): boolean {
  return (
    route.length === asked.length &&
    route.every((segment, n) => (segment.startsWith(':') ? asked[n] !== '' : asked[n] === segment))
  );
}

function streamedAmong(routes: Route[]): ReadsItsBody {
  const streamed = routes
    .filter(({ target }) => Reflect.hasMetadata(streamedBodyKey, target))
    .map(({ method, path }) => ({ method, route: segmentsOf(path) }));
  const methods = new Set(streamed.map(({ method }) => method));
  return ({ method, path }) => {
    if (!methods.has(method)) return false;
    const asked = segmentsOf(path);
    return streamed.some((one) => one.method === method && leadsTo(one.route, asked));
  };
}

/**
 * Recognizes requests of routes with `@StreamedBody()` by method and path. It reads the routes at the first request,
 * since they are created after the HTTP application.
 */
export function readersOfBodies(modules: ModulesContainer): ReadsItsBody {
  let known: ReadsItsBody | undefined;
  return (request) => {
    known ??= streamedAmong(routesOf(modules));
    return known(request);
  };
}
