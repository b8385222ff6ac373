import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { RequestHandler } from 'express';
import helmet from 'helmet';

/**
 * The security headers of every answer, by helmet. They are the same each time, so helmet is asked once, for an answer
 * that nobody gets, rather than for every request by a dozen steps.
 */
export function securityHeaders(strictTransport: boolean): RequestHandler {
  const protect = helmet({
    // The page at /docs needs inline styles and scripts; the API itself answers JSON and pictures alone.
    contentSecurityPolicy: {
      directives: { 'script-src': ["'self'", "'unsafe-inline'"], upgradeInsecureRequests: null },
    },
    crossOriginResourcePolicy: { policy: 'cross-origin' },
    strictTransportSecurity: strictTransport,
  });
  const sample = new ServerResponse(new IncomingMessage(new Socket()));
  protect(sample.req, sample, (error?: unknown) => {
    if (error) throw error;
  });
  const headers = Object.entries(sample.getHeaders()).map(([name, value]) => [name, String(value)] as const);
  return (_request, response, next) => {
    for (const [name, value] of headers) response.setHeader(name, value);
    next();
  };
}
