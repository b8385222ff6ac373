import type { IncomingMessage, ServerResponse } from 'node:http';
import type { CacheTag } from '../changes/change-bus.js';
import { codeOf, type ErrorAnswer } from '../errors/error-answer.js';
import { headersOf as ownHeadersOf } from '../http/response-headers.js';
import { etagOf } from '../http/entity-tag.js';
import { jsonOf } from '../http/json-text.js';

/** A whole answer, ready to be sent. */
export interface ReadyResponse {
  readonly status: number;
  /** As `writeHead` takes them: names and values in turn. The last value is the request's id, to be filled in. */
  readonly headers: string[];
  /** Undefined for any status but 200. */
  readonly etag?: string;
  readonly body: Buffer;
  /** What it depends on; undefined if that may be anything. */
  readonly cacheTags?: readonly CacheTag[];
  /** The failure to be logged with it. */
  readonly cause?: Error;
  /** The code of a refusal, for the log. */
  readonly code?: string;
}

/** Headers that a 304 omits, since it has no body. */
const bodyHeaders = new Set(['Content-Type', 'Content-Length']);

/** Whether a value of `If-None-Match` names the tag, weakly compared (RFC 9110, section 13.1.2). */
export function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch.trim() === '*' || ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}

function headersOf(defaults: readonly string[], own: readonly string[], body: Buffer): string[] {
  const type = ['Content-Type', 'application/json; charset=utf-8', 'Content-Length', String(body.length)];
  return [...defaults, ...own, ...type, 'x-request-id', ''];
}

/** The 200 with `value` as its body; `defaults` are names and values in turn. */
export function readyResponse(value: unknown, defaults: readonly string[]): ReadyResponse {
  const body = Buffer.from(jsonOf(value));
  const etag = etagOf(body);
  const own = Object.entries(ownHeadersOf(value)).flat();
  // Other caches may store it, but must revalidate it each time.
  return {
    status: 200,
    headers: headersOf(defaults, ['Cache-Control', 'no-cache', 'ETag', etag, ...own], body),
    etag,
    body,
  };
}

/** The answer of an error. */
export function readyRefusal(
  { status, body, headers, cause }: ErrorAnswer,
  defaults: readonly string[],
): ReadyResponse {
  const bytes = Buffer.from(JSON.stringify(body));
  const own = ['Cache-Control', 'no-store', ...Object.entries(headers).flat()];
  const all = headersOf(defaults, own, bytes);
  return { status, headers: all, body: bytes, code: codeOf(body), ...(cause ? { cause } : {}) };
}

/** The headers of an answer with this request's id: the same array each time, valid until the next call. */
export function headersFor(requestId: string, { headers }: Pick<ReadyResponse, 'headers'>): string[] {
  headers[headers.length - 1] = requestId;
  return headers;
}

/** The headers of a 304 in the place of an answer. */
export function notModifiedHeadersFor(requestId: string, answer: Pick<ReadyResponse, 'headers'>): string[] {
  const headers = headersFor(requestId, answer);
  return headers.filter((_, index) => !bodyHeaders.has(headers[index - (index % 2)] ?? ''));
}

/** Sends an answer, or a 304 where the caller already has it; returns the status. */
export function send(
  answer: ReadyResponse,
  requestId: string,
  request: IncomingMessage,
  response: ServerResponse,
): number {
  const { status, etag, body } = answer;
  if (etag !== undefined && isKnown(request.headers['if-none-match'], etag)) {
    response.writeHead(304, notModifiedHeadersFor(requestId, answer)).end();
    return 304;
  }
  response.writeHead(status, headersFor(requestId, answer)).end(body);
  return status;
}
