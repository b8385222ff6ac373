import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestHandler } from 'express';
import { type Logger, pino } from 'pino';
import { pinoHttp } from 'pino-http';
import type { LogLevel } from '../../config/settings.js';

const requestIdPattern = /^[\w.:-]{1,128}$/;

/** The service's logger: one JSON object a line on standard output. */
export function makeLogger(level: LogLevel): Logger {
  return pino({ level });
}

/** The caller's own `x-request-id` where it is sane, else a new one. */
export function requestIdOf(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && requestIdPattern.test(given) ? given : randomUUID();
}

/** Every answer carries its request's id. */
function requestId(request: IncomingMessage, response: ServerResponse): string {
  const id = requestIdOf(request);
  response.setHeader('x-request-id', id);
  return id;
}

function levelOf(request: IncomingMessage, status: number, error: Error | undefined): LogLevel {
  // Somebody else's failure, which any caller can bring about.
  if (!error && status === 502) return 'warn';
  if (error || status >= 500) return 'error';
  return /^\/(health|metrics)/.test(request.url ?? '') ? 'debug' : 'info';
}

interface Answered {
  request: IncomingMessage;
  requestId: string;
  status: number;
  milliseconds: number;
  /** Whether the answer came from memory. */
  kept: boolean;
  cause: Error | undefined;
}

/** Logs a request that was answered in front of Express, as `requestLog` does those behind. */
export function logAnswer(logger: Logger, { request, requestId, status, milliseconds, kept, cause }: Answered): void {
  const level = levelOf(request, status, cause);
  if (!logger.isLevelEnabled(level)) return;
  const { method, url } = request;
  const fields = { reqId: requestId, res: status, responseTime: Math.round(milliseconds), method, url };
  const extra = { ...(kept ? { kept } : {}), ...(cause ? { err: cause } : {}) };
  logger[level as Exclude<LogLevel, 'silent'>]({ ...fields, ...extra }, level === 'error' ? 'failed' : 'answered');
}

/** Logs each request once, when it is answered, without headers and bodies, which may carry secrets. */
export function requestLog(logger: Logger): RequestHandler {
  return pinoHttp({
    logger,
    genReqId: requestId,
    customLogLevel: (request, response, error) => levelOf(request, response.statusCode, error),
    customSuccessMessage: () => 'answered',
    customErrorMessage: () => 'failed',
    quietReqLogger: true,
    customSuccessObject: (request, _response, value: object) => ({
      ...value,
      method: request.method,
      url: request.url,
    }),
    customErrorObject: (request, { err: cause }, _error, { err, ...value }: { err?: unknown }) => ({
      ...value,
      // Without a cause, what the logger makes up tells no more than the status.
      ...(cause ? { err } : {}),
      method: request.method,
      url: request.url,
    }),
    serializers: { req: () => undefined, res: (response: { statusCode: number }) => response.statusCode },
  });
}
