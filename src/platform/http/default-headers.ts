import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { Injectable } from '@nestjs/common';
import cors, { type CorsOptions } from 'cors';
import type { RequestHandler } from 'express';
import helmet from 'helmet';
import { LRUCache } from 'lru-cache';
import { Settings } from '../../config/settings.js';
import { serviceVersion } from './service-life.js';

// Each port of this machine is an origin of its own.
const mostOrigins = 100;
const longestOrigin = 300;

/** A header's name and its value. */
export type Header = readonly [name: string, value: string];

function securityHeaders(strictTransport: boolean): RequestHandler {
  return helmet({
    // No answer of the API is a page; the page at /docs has its own policy.
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { 'default-src': ["'none'"], 'frame-ancestors': ["'none'"] },
    },
    crossOriginResourcePolicy: { policy: 'cross-origin' },
    strictTransportSecurity: strictTransport,
  });
}

/** The headers that pages of other origins may read. */
const exposedHeaders = [
  'ETag',
  'Location',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'WWW-Authenticate',
  'X-Similar',
  'X-Total-Count',
  'x-request-id',
];

/** Whether pages of the origin may call the API: it is listed, or its scheme and host are listed with `*` as the port. */
function allows(origins: ReadonlySet<string>, origin: string): boolean {
  return origins.has(origin) || origins.has(`${origin.replace(/:\d{1,5}$/, '')}:*`);
}

function crossOrigin(origins: ReadonlySet<string>): RequestHandler | undefined {
  if (origins.size === 0) return undefined;
  if (origins.has('*')) return cors({ origin: '*', exposedHeaders, maxAge: 600 });
  const listed: CorsOptions['origin'] = (origin, answer) =>
    answer(null, origin !== undefined && allows(origins, origin) && origin);
  const handle = cors({ origin: listed, exposedHeaders, maxAge: 600 });
  return (request, response, next) => {
    // Also for origins that are not listed, so that caches keep their answers apart.
    response.setHeader('Vary', 'Origin');
    handle(request, response, next);
  };
}

/** The headers that the handlers set, taken from a sample answer. */
function sampleOf(handlers: RequestHandler[], origin: string | undefined): Header[] {
  const request = new IncomingMessage(new Socket());
  request.method = 'GET';
  if (origin !== undefined) request.headers.origin = origin;
  const sample = new ServerResponse(request);
  for (const handle of handlers) {
    handle(request as never, sample as never, (error?: unknown) => {
      if (error) throw error;
    });
  }
  return Object.entries(sample.getHeaders()).map(([name, value]) => [name, String(value)] as const);
}

/**
 * The headers of every answer: helmet's for security, and those of cors for pages of other origins. They are the same
 * for all requests of an origin, and so computed once for each origin rather than for each request.
 */
@Injectable()
export class DefaultHeaders {
  private readonly preflight: RequestHandler | undefined;
  private readonly handlers: RequestHandler[];
  private readonly origins: ReadonlySet<string>;
  private readonly ofOrigin = new LRUCache<string, readonly Header[]>({ max: mostOrigins });
  private readonly ofOthers: readonly Header[];
  private readonly lists = new WeakMap<readonly Header[], readonly string[]>();

  constructor({ production, corsOrigins }: Settings) {
    this.origins = new Set(corsOrigins);
    this.preflight = crossOrigin(this.origins);
    this.handlers = [securityHeaders(production), ...(this.preflight ? [this.preflight] : [])];
    this.ofOthers = sampleOf(this.handlers, undefined);
  }

  /** The origin of a request where answers differ by it, else an empty string. */
  originOf({ headers: { origin } }: IncomingMessage): string {
    if (origin === undefined || origin.length > longestOrigin) return '';
    return allows(this.origins, origin) ? origin : '';
  }

  /** The headers of answers to requests of an origin, as `originOf` names it. */
  of(origin: string): readonly Header[] {
    if (origin === '') return this.ofOthers;
    const known = this.ofOrigin.get(origin);
    if (known) return known;
    const headers = sampleOf(this.handlers, origin);
    this.ofOrigin.set(origin, headers);
    return headers;
  }

  /** As `of`, as `writeHead` takes them: names and values in turn. */
  listOf(origin: string): readonly string[] {
    const headers = this.of(origin);
    let list = this.lists.get(headers);
    if (!list) this.lists.set(headers, (list = headers.flat()));
    return list;
  }

  /** Sets them, and responds to preflight requests. */
  readonly handle: RequestHandler = (request, response, next) => {
    for (const [name, value] of this.of(this.originOf(request))) response.setHeader(name, value);
    // Answers are private to the caller unless an operation says otherwise.
    if (!request.path.startsWith('/docs')) response.setHeader('Cache-Control', 'no-store');
    // Clients of our own tell their version, and compare it.
    if (request.headers['x-client-version'] !== undefined) response.setHeader('X-Service-Version', serviceVersion);
    if (request.method === 'OPTIONS' && this.preflight) this.preflight(request, response, next);
    else next();
  };
}
