import type { RequestListener, Server } from 'node:http';
import type { Express } from 'express';
import { tracing } from '../tracing/tracing.js';

/** Handles each request in a span of its own, if the process is traced. */
export function traceRequests(server: Server): void {
  const on = tracing();
  if (!on) return;
  const rest = server.listeners('request') as RequestListener[];
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    on.request(request, () => {
      for (const listener of rest) listener(request, response);
    });
  });
}

/** Returns the following steps to the request's span, which the events of its body lead out of. */
export function resumeTraces(express: Express): void {
  const on = tracing();
  if (on) express.use((request, _response, next) => on.resume(request, next));
}
