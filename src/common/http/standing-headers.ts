import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { Injectable } from '@nestjs/common';
import cors from 'cors';
import type { RequestHandler } from 'express';
import helmet from 'helmet';
import { Settings } from '../../config/settings.js';

/** A header's name and its value. */
export type Header = readonly [name: string, value: string];

function securityHeaders(strictTransport: boolean): RequestHandler {
  return helmet({
    // The page at /docs needs inline styles and scripts; the API itself answers JSON and pictures alone.
    contentSecurityPolicy: {
      directives: { 'script-src': ["'self'", "'unsafe-inline'"], upgradeInsecureRequests: null },
    },
    crossOriginResourcePolicy: { policy: 'cross-origin' },
    strictTransportSecurity: strictTransport,
  });
}

function crossOrigin(origins: string[]): RequestHandler | undefined {
  if (origins.length === 0) return undefined;
  return cors({
    origin: origins.includes('*') ? '*' : origins,
    exposedHeaders: ['x-request-id', 'Retry-After', 'Location'],
    maxAge: 600,
  });
}

/** What the handlers set of an answer to a GET that nobody gets. */
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
 * The headers that every answer carries: for security, by helmet, and for pages of other origins, by cors. They are the
 * same for each origin, so both are asked once for each of the listed ones, not for every request by a dozen steps.
 */
@Injectable()
export class StandingHeaders {
  private readonly preflight: RequestHandler | undefined;
  private readonly ofOrigin: ReadonlyMap<string, readonly Header[]>;
  private readonly ofOthers: readonly Header[];

  constructor({ production, corsOrigins }: Settings) {
    this.preflight = crossOrigin(corsOrigins);
    const handlers = [securityHeaders(production), ...(this.preflight ? [this.preflight] : [])];
    this.ofOrigin = new Map(corsOrigins.map((origin) => [origin, sampleOf(handlers, origin)]));
    this.ofOthers = sampleOf(handlers, undefined);
  }

  /** The origin of a request where answers differ by it, else an empty string. */
  originOf({ headers: { origin } }: IncomingMessage): string {
    return origin !== undefined && this.ofOrigin.has(origin) ? origin : '';
  }

  /** The headers of answers to requests of an origin. */
  of(origin: string): readonly Header[] {
    return this.ofOrigin.get(origin) ?? this.ofOthers;
  }

  /** Sets them, and answers what browsers ask before they send a request of another origin. */
  readonly handle: RequestHandler = (request, response, next) => {
    for (const [name, value] of this.of(this.originOf(request))) response.setHeader(name, value);
    if (request.method === 'OPTIONS' && this.preflight) this.preflight(request, response, next);
    else next();
  };
}
