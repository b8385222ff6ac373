import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import type { RequestHandler } from 'express';
import { type DestinationStream, type Logger, pino } from 'pino';
import type { LogFormat, LogLevel } from '../../config/settings.js';
import { isOutage } from '../errors/database-errors.js';
import { tracing } from '../tracing/tracing.js';
import { recordedAddressOf } from '../net/caller-address.js';
import { formatOptions, formatStream } from './log-format.js';
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

interface LogSettings {
  logLevel: LogLevel;
  logFormat: LogFormat;
}

/** The service's logger: an entry a line in the format that is set, on standard output unless told otherwise. */
export function makeLogger({ logLevel: level, logFormat }: LogSettings, destination?: DestinationStream): Logger {
  const mixin = (): Record<string, string> => tracing()?.logFields() ?? {};
  const options = {
    level,
    serializers: { err: loggedError },
    ...formatOptions(logFormat),
    ...(tracing() ? { mixin } : {}),
  };
  const stream = formatStream(logFormat, destination);
  return stream ? pino(options, stream) : pino(options);
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
  member?: { apiKeyId: string | null; organizationId: string };
  shopKey?: { id: string };
  ip?: string;
  params?: Record<string, string>;
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
  /** Why the request was refused, as the caller reads it. */
  refusal?: string;
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
  /** Why it was refused, as the caller reads it. */
  refusal?: string | undefined;
  cause: Error | undefined;
}

/** A request that an operator may ask about: it failed, was slow, or somebody known to the service was refused. */
export interface NotedRequest {
  id: string;
  endedAt: Date;
  method: string;
  /** Without the tokens of mails' links. */
  url: string;
  route: string;
  status: number;
  milliseconds: number;
  code: string | null;
  /** Why it was refused, as the caller reads it. */
  refusal: string | null;
  /** What went wrong inside. */
  failure: string | null;
  userId: string | null;
  keyId: string | null;
  organizationId: string | null;
  address: string | null;
  traceId: string | null;
}

/** Requests that take longer are noted. */
const slowMs = 1_000;

function messageOf({ abandoned, cause, status }: Answered): string {
  if (abandoned) return 'abandoned';
  return cause || status >= 500 ? 'failed' : 'answered';
}

/** Who sent a request, as the access guard identified them, for which organization or order, and from where. */
function callerOf(request: LoggedRequest): Record<string, string> {
  const { user, member, ip, params } = request as LoggedRequest & Callers;
  const key = member?.apiKeyId ?? null;
  return {
    ...(key !== null ? { key } : user ? { user: user.id } : {}),
    ...(member && { organization: member.organizationId }),
    ...(params?.['order_id'] === undefined ? {} : { order: params['order_id'] }),
    ...(ip === undefined ? {} : { address: recordedAddressOf(ip) }),
  };
}

/** The request as an operator may ask about it; null if it is none of those. */
function notedOf(answered: Answered, measuredMs: number, traceId: string | undefined): NotedRequest | null {
  const { request, route, requestId, status, milliseconds, code, refusal, cause } = answered;
  const { user, member, shopKey, ip } = request as LoggedRequest & Callers;
  const isKnown = user !== undefined || member !== undefined || shopKey !== undefined;
  const isRefused = status >= 400 && isKnown;
  if (status < 500 && !cause && measuredMs < slowMs && !isRefused) return null;
  return {
    id: requestId,
    endedAt: new Date(),
    method: request.method ?? 'GET',
    url: withoutTokens(request.originalUrl ?? request.url ?? ''),
    route,
    status,
    milliseconds: Math.round(milliseconds),
    code: code ?? null,
    refusal: refusal ?? null,
    failure: cause ? `${cause.name}: ${cause.message}` : null,
    userId: user?.id ?? null,
    keyId: member?.apiKeyId ?? shopKey?.id ?? null,
    organizationId: member?.organizationId ?? null,
    address: ip === undefined ? null : recordedAddressOf(ip),
    traceId: traceId ?? null,
  };
}

/** Links in mails contain tokens that work like a password. */
function withoutTokens(url: string): string {
  return url.replace(/([?&]token=)[^&]*/gi, '$1…');
}

function log(logger: Logger, answered: Answered, traceId: string | undefined): void {
  const { request, requestId, status, milliseconds, kept, code, cause } = answered;
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
  private note: ((request: NotedRequest) => void) | undefined;

  constructor(
    @Inject(serviceLogger) private readonly logger: Logger,
    private readonly metrics: Metrics,
  ) {}

  /** Calls `listener` with the error of each request that fails. */
  onFailure(listener: (cause: Error) => void): void {
    this.tellFailure = listener;
  }

  /** Calls `listener` with each request that an operator may ask about. */
  onNoted(listener: (request: NotedRequest) => void): void {
    this.note = listener;
  }

  /** Sets the request's id on each answer, and records the request when it is over. */
  readonly handle: RequestHandler = (request, response, next) => {
    const startedAt = performance.now();
    const requestId = requestIdOf(request);
    response.setHeader('x-request-id', requestId);
    response.once('close', () => {
      const closedAt = performance.now();
      const { [measured]: streamedFrom } = response as { [measured]?: number };
      const { statusCode: status, writableFinished, err: cause, code, refusal } = response as typeof response & Failure;
      // A stream ends when its caller goes.
      const abandoned = !writableFinished && streamedFrom === undefined;
      const milliseconds = closedAt - startedAt;
      const outcome = { status, milliseconds, abandoned, code, refusal, cause };
      this.record({ request, route: routeOf(request), requestId, ...outcome }, (streamedFrom ?? closedAt) - startedAt);
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
    const traceId = tracing()?.endRequest(answered);
    log(this.logger, answered, traceId);
    const noted = this.note && notedOf(answered, measuredMs, traceId);
    if (noted) this.note?.(noted);
  }
}
