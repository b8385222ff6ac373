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

/** Restores the request's span for the following steps, since the events of its body run outside of it. */
export function resumeTraces(express: Express): void {
  const on = tracing();
  if (on) express.use((request, _response, next) => on.resume(request, next));
}
