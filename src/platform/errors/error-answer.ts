import { HttpException } from '@nestjs/common';
import { isDatabaseAway, isDatabaseExhausted, isTransientConflict } from './database-errors.js';
import type { ErrorCode } from './error-codes.js';
import { Invalid } from './invalid.js';
import { MethodNotAllowed, QuotaExceeded, RateExceeded, Refusal, Unauthenticated } from './errors.js';
import { statusOfKind } from './status-table.js';
import type { Quota } from '../../config/quotas.js';

/**
 * The header fields by which a refusal names the quota that is used up, for programs:
 * draft-ietf-httpapi-ratelimit-headers, sections 3 and 4. `w` is a rate's window and `t` the seconds until it resets; a
 * quota of what is held has neither.
 */
function rateLimitFields({ name, limit, windowSeconds }: Quota, resetSeconds?: number): Record<string, string> {
  const window = windowSeconds === undefined ? '' : `;w=${windowSeconds}`;
  const reset = resetSeconds === undefined ? '' : `;t=${Math.max(1, Math.ceil(resetSeconds))}`;
  return { 'RateLimit-Policy': `"${name}";q=${limit}${window}`, RateLimit: `"${name}";r=0${reset}` };
}

/** The answer to a request that failed. */
export interface ErrorAnswer {
  status: number;
  body: { detail: unknown; code?: ErrorCode };
  headers: Record<string, string>;
  /** To be logged: a failure of the service or the database. */
  cause?: Error;
}

/** The code of a refusal as it is logged. Responses to invalid requests have none. */
export function codeOf({ code }: ErrorAnswer['body']): string {
  return code ?? 'invalid';
}

/** Why a request is refused, in a line. The problems of an invalid one are named without the values that it sent. */
export function sentenceOf({ detail }: ErrorAnswer['body']): string {
  if (typeof detail === 'string') return detail;
  const problems = detail as readonly { loc: readonly (string | number)[]; msg: string }[];
  return problems.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`).join('; ');
}

type Answer = Omit<ErrorAnswer, 'headers' | 'cause'> & { headers?: Record<string, string> };

/** The method and path of the request. */
interface Place {
  method: string;
  path: string;
}

const internalError: Answer = {
  status: 500,
  body: {
    detail: 'Something went wrong on our side: if you report it, quote the x-request-id of this response',
    code: 'internal_error',
  },
};

/** Errors of Express, its body parser and multer, which carry a status. */
interface HttpLikeError {
  status?: number;
  statusCode?: number;
  type?: string;
  code?: string;
  message?: string;
}

const codeOfStatus: Record<number, ErrorCode> = {
  400: 'bad_request',
  401: 'unauthenticated',
  403: 'forbidden',
  404: 'not_found',
  405: 'method_not_allowed',
  408: 'request_timeout',
  413: 'payload_too_large',
  415: 'unsupported_media_type',
  429: 'too_many_requests',
};

const sentenceOfStatus: Record<number, string> = {
  400: 'The request cannot be read: check its address and headers',
  408: 'The request took too long to arrive: send it again',
  413: 'The request body is too large',
  415: 'The request body has a type, charset or encoding that cannot be read: send UTF-8 JSON as application/json',
};

/** The value of `WWW-Authenticate` (RFC 6750, section 3; RFC 9470, section 3). */
export function challengeOf({ challenge: { error, maxAgeSeconds } }: Unauthenticated): string {
  const maxAge = maxAgeSeconds === undefined ? '' : `, max_age="${maxAgeSeconds}"`;
  return error === undefined ? 'Bearer' : `Bearer error="${error}"${maxAge}`;
}

function refusalAnswer(refusal: Refusal): Answer {
  const headers: Record<string, string> = {};
  if (refusal instanceof Unauthenticated) headers['WWW-Authenticate'] = challengeOf(refusal);
  if (refusal instanceof MethodNotAllowed) headers['Allow'] = refusal.allowed.join(', ');
  const { retryAfterSeconds } = refusal as { retryAfterSeconds?: number };
  if (retryAfterSeconds !== undefined) headers['Retry-After'] = String(Math.max(1, Math.ceil(retryAfterSeconds)));
  if (refusal instanceof QuotaExceeded) Object.assign(headers, rateLimitFields(refusal.quota));
  if (refusal instanceof RateExceeded)
    Object.assign(headers, rateLimitFields(refusal.quota, refusal.retryAfterSeconds));
  return { status: statusOfKind[refusal.kind], body: { detail: refusal.message, code: refusal.code }, headers };
}

function clientErrorAnswer(status: number, sentence?: string): Answer {
  const code = codeOfStatus[status] ?? 'bad_request';
  const detail =
    sentence ?? sentenceOfStatus[status] ?? 'The request is not valid: check its method, address, headers and body';
  return { status, body: { detail, code } };
}

function statusOf(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const { status, statusCode } = error as HttpLikeError;
  return status ?? statusCode;
}

function fault(location: 'body' | 'path', msg: string, type: string): Answer {
  return { status: 422, body: { detail: [{ loc: [location], msg, type }] } };
}

/** V8's own message would quote the body, and the secrets in it. */
function jsonSentence(message = ''): string {
  if (message.startsWith('Unexpected end')) return 'The body is not valid JSON: it ends too early';
  const position = / at position (\d+)/.exec(message)?.[1];
  return `The body is not valid JSON${position === undefined ? '' : `: see character ${Number(position) + 1}`}`;
}

/** The error inside the HttpException that Nest wraps around those of Express and its body parser. */
function unwrapped(error: unknown): unknown {
  return error instanceof HttpException && error.cause instanceof Error ? error.cause : error;
}

function refusalOf(error: unknown, { method, path }: Place): Answer | null {
  if (error instanceof Invalid) return { status: 422, body: { detail: error.problems } };
  if (error instanceof Refusal) return refusalAnswer(error);
  if (isDatabaseAway(error)) {
    const detail = 'The database cannot be reached at the moment: try again in a few seconds';
    return { status: 503, body: { detail, code: 'database_unavailable' }, headers: { 'Retry-After': '2' } };
  }
  if (isDatabaseExhausted(error)) {
    const detail =
      'The database is out of disk space or memory at the moment, and nothing was changed: try again later';
    return { status: 503, body: { detail, code: 'database_unavailable' }, headers: { 'Retry-After': '30' } };
  }
  if (isTransientConflict(error)) {
    const detail =
      'Too many requests are changing the same data at the moment, and nothing was changed: try again in a few seconds';
    return { status: 503, body: { detail, code: 'busy' }, headers: { 'Retry-After': '2' } };
  }
  const status = statusOf(error);
  const { type, code, message } = (error ?? {}) as HttpLikeError;
  if (type === 'entity.parse.failed') return fault('body', jsonSentence(message), 'json_invalid');
  if (status === 400 && /^(Z_|ERR__ERROR_)/.test(code ?? '')) {
    return fault('body', 'The body does not have the encoding that its Content-Encoding names', 'json_invalid');
  }
  if (error instanceof URIError) {
    return fault('path', 'The address should be percent-encoded UTF-8', 'string_unicode');
  }
  if (error instanceof HttpException && status === 404) {
    const place = `${method} ${path.slice(0, 200)}`;
    return clientErrorAnswer(404, `There is nothing at ${place}: /openapi.json lists the operations`);
  }
  return status !== undefined && status >= 400 && status < 500 ? clientErrorAnswer(status) : null;
}

/** The answer that the interface description promises for an error. */
export function answerTo(thrown: unknown, place: Place): ErrorAnswer {
  const error = unwrapped(thrown);
  const answer = refusalOf(error, place);
  const { status, body, headers = {} } = answer ?? internalError;
  if (answer && status !== 503) return { status, body, headers };
  return { status, body, headers, cause: error instanceof Error ? error : new Error(String(error)) };
}
