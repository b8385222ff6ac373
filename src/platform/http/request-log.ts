import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import type { RequestHandler } from 'express';
import { type DestinationStream, type Logger, pino } from 'pino';
import type { LogLevel } from '../../config/settings.js';
import { isOutage } from '../errors/database-errors.js';
import { tracing } from '../tracing/tracing.js';
import { recordedAddressOf } from '../net/caller-address.js';
import { Metrics } from './metrics.js';

const requestIdPattern = /^[\w.:-]{1,128}$/;

/**
 * An error as it is logged, without the additions of drivers: values of statements, and rows that broke a constraint. The stack
 * of an outage is logged once, by `DatabaseOutage`.
 */
function loggedError(error: Error): Record<string, unknown> {
  const { type, message, stack, ...rest } = pino.stdSerializers.err(error);
  const { code, constraint } = rest as { code?: unknown; constraint?: unknown };
  return { type, message, ...(isOutage(error) ? {} : { stack }), code, constraint };
}

/** The token for the service's logger. */
export const serviceLogger = Symbol('service logger');

/** The service's logger: one JSON object a line, on standard output unless told otherwise. */
export function makeLogger(level: LogLevel, destination?: DestinationStream): Logger {
  const mixin = (): Record<string, string> => tracing()?.logFields() ?? {};
  const options = { level, serializers: { err: loggedError }, ...(tracing() ? { mixin } : {}) };
  return destination ? pino(options, destination) : pino(options);
}

/** The caller's own `x-request-id` where it is sane, else a new one. */
export function requestIdOf(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && requestIdPattern.test(given) ? given : randomUUID();
}

/** What is logged of a request. */
type LoggedRequest = Pick<IncomingMessage, 'method' | 'url'> & { readonly originalUrl?: string };

interface Callers {
  user?: { id: string };
  member?: { apiKeyId: string | null };
  ip?: string;
}

function levelOf(request: LoggedRequest, status: number, error: Error | undefined): Exclude<LogLevel, 'silent'> {
  // A failure of another server, which any caller can cause.
  if (!error && status === 502) return 'warn';
  if (error || status >= 500) return 'error';
  return /^\/(health|metrics)/.test(request.url ?? '') ? 'debug' : 'info';
}

/** What the error filter notes on a response. */
interface Failure {
  err?: Error;
  code?: string;
}

/** The outcome of a request. */
interface Answered {
  request: LoggedRequest;
  /** The pattern of its route; `none` where none matched. */
  route: string;
  requestId: string;
  status: number;
  milliseconds: number;
  /** Whether the caller disconnected before the answer. */
  abandoned?: boolean;
  /** Whether the answer came from memory. */
  kept?: boolean;
  /** The code of a refusal or failure. */
  code?: string | undefined;
  cause: Error | undefined;
}

function messageOf({ abandoned, cause, status }: Answered): string {
  if (abandoned) return 'abandoned';
  return cause || status >= 500 ? 'failed' : 'answered';
}

/** Who sent a request, as the access guard identified them, and from where. */
function callerOf(request: LoggedRequest): Record<string, string> {
  const { user, member, ip } = request as LoggedRequest & Callers;
  const key = member?.apiKeyId ?? null;
  return {
    ...(key !== null ? { key } : user ? { user: user.id } : {}),
    ...(ip === undefined ? {} : { address: recordedAddressOf(ip) }),
  };
}

/** Links in mails contain tokens that work like a password. */
function withoutTokens(url: string): string {
  return url.replace(/([?&]token=)[^&]*/gi, '$1…');
}

function log(logger: Logger, answered: Answered): void {
  const { request, requestId, status, milliseconds, kept, code, cause } = answered;
  const traceId = tracing()?.endRequest(answered);
  const level = levelOf(request, status, cause);
  if (!logger.isLevelEnabled(level)) return;
  const fields = {
    reqId: requestId,
    res: status,
    responseTime: Math.round(milliseconds),
    method: request.method,
    url: withoutTokens(request.originalUrl ?? request.url ?? ''),
    ...callerOf(request),
    ...(code === undefined ? {} : { code }),
    ...(kept ? { kept } : {}),
    ...(traceId === undefined ? {} : { trace_id: traceId }),
    ...(cause ? { err: cause } : {}),
  };
  logger[level](fields, messageOf(answered));
}

const measured = Symbol('measured');

function routeOf(request: IncomingMessage): string {
  return (request as { route?: { path?: string } }).route?.path ?? 'none';
}

/** Measures this request only until now: the rest is a stream that lasts as long as the caller wants. */
export function measureUntilNow(response: ServerResponse): void {
  Object.assign(response, { [measured]: performance.now() });
  const { req: request, statusCode: status } = response;
  tracing()?.endRequest({ request, route: routeOf(request), status });
}

/** Logs and measures requests. */
@Injectable()
export class RequestLog {
  private tellFailure: (cause: Error) => void = () => undefined;

  constructor(
    @Inject(serviceLogger) private readonly logger: Logger,
    private readonly metrics: Metrics,
  ) {}

  /** Calls `listener` with the error of each request that fails. */
  onFailure(listener: (cause: Error) => void): void {
    this.tellFailure = listener;
  }

  /** Sets the request's id on each answer, and records the request when it is over. */
  readonly handle: RequestHandler = (request, response, next) => {
    const startedAt = performance.now();
    const requestId = requestIdOf(request);
    response.setHeader('x-request-id', requestId);
    response.once('close', () => {
      const closedAt = performance.now();
      const { [measured]: streamedFrom } = response as { [measured]?: number };
      const { statusCode: status, writableFinished, err: cause, code } = response as typeof response & Failure;
      // A stream ends when its caller goes.
      const abandoned = !writableFinished && streamedFrom === undefined;
      const milliseconds = closedAt - startedAt;
      const answered = { request, route: routeOf(request), requestId, status, milliseconds, abandoned, code, cause };
      this.record(answered, (streamedFrom ?? closedAt) - startedAt);
    });
    next();
  };

  /**
   * Logs a request in one line, without headers and bodies, which may carry secrets, ends its span, and measures it under
   * the pattern of its route, so that the number of series stays bounded.
   */
  record(answered: Answered, measuredMs = answered.milliseconds): void {
    const { request, route, status } = answered;
    this.metrics.timesOf(request.method ?? 'GET', route, status).observe(measuredMs / 1000);
    if (answered.cause) this.tellFailure(answered.cause);
    log(this.logger, answered);
  }
}
