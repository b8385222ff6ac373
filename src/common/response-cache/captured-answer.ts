import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** What the rest of the service answered. */
export interface CapturedAnswer {
  /** As `writeHead` takes them: names and values in turn. The last value is the request's id, to be filled in. */
  headers: string[];
  etag: string;
  body: Buffer;
}

/**
 * What came of an answer: all of it; or it cannot be shared, as it is no 200 or was not sent in one piece; or its caller
 * left before it was there.
 */
export type Captured = CapturedAnswer | 'unshared' | 'abandoned';

/** Headers that belong to one answer and not to the next, or that are added anew to each. */
const ownHeaders = new Set(['x-request-id', 'connection', 'keep-alive', 'date', 'etag', 'content-length']);
/** What a 304 has no use for: it has no body. */
const bodyHeaders = new Set(['content-type', 'content-length']);

/** A strong entity tag of the bytes (RFC 9110, section 8.8.3). */
export function etagOf(body: Buffer): string {
  return `"${createHash('sha1').update(body).digest('base64url')}"`;
}

/** Whether a value of `If-None-Match` names the tag, weakly compared (RFC 9110, section 13.1.2). */
export function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch.trim() === '*' || ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}

/** The headers of a kept answer for the request of this id: the same array each time, good until the next call. */
export function headersFor(requestId: string, { headers }: CapturedAnswer): string[] {
  headers[headers.length - 1] = requestId;
  return headers;
}

/** The headers of a 304 in the place of a kept answer. */
export function notModifiedHeadersFor(requestId: string, answer: CapturedAnswer): string[] {
  const headers = headersFor(requestId, answer);
  return headers.filter((_, index) => !bodyHeaders.has(headers[index - (index % 2)]?.toLowerCase() ?? ''));
}

function headersOf(response: ServerResponse): string[] {
  return Object.entries(response.getHeaders())
    .filter(([name]) => !ownHeaders.has(name))
    .flatMap(([name, values]) => [values ?? []].flat().flatMap((value) => [name, String(value)]));
}

/** A copy in memory of its own: a small piece of Buffer's shared pool would hold all of the pool. */
function ownBytes(chunk: string | Uint8Array, encoding: unknown): Buffer {
  const bytes =
    typeof chunk === 'string'
      ? Buffer.from(chunk, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8')
      : chunk;
  const own = Buffer.allocUnsafeSlow(bytes.length);
  own.set(bytes);
  return own;
}

function capture(response: ServerResponse, chunk: string | Uint8Array, encoding: unknown): CapturedAnswer {
  const body = ownBytes(chunk, encoding);
  const etag = etagOf(body);
  const headers = [...headersOf(response), 'ETag', etag, 'Content-Length', String(body.length), 'x-request-id', ''];
  return { headers, etag, body };
}

/** Takes a request's `If-None-Match` away from it, so that nothing behind answers it. */
function takeCondition(request: IncomingMessage): string | undefined {
  const condition = request.headers['if-none-match'];
  delete request.headers['if-none-match'];
  return condition;
}

/**
 * Has `onEnd` called once with what becomes of the answer. A whole answer gets an entity tag on its way, or becomes a
 * 304 where the caller has it already.
 */
export function captureAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  onEnd: (captured: Captured) => void,
): void {
  const condition = takeCondition(request);
  let ended = false;
  const finish = (captured: Captured) => {
    if (!ended) onEnd(captured);
    ended = true;
  };
  const end = response.end.bind(response) as (...rest: unknown[]) => ServerResponse;
  const endTagged = (...rest: unknown[]): ServerResponse => {
    const [chunk, encoding] = rest;
    const whole = (typeof chunk === 'string' || chunk instanceof Uint8Array) && !response.headersSent;
    if (!whole || response.statusCode !== 200 || ended) {
      finish('unshared');
      return end(...rest);
    }
    const answer = capture(response, chunk, encoding);
    finish(answer);
    response.setHeader('ETag', answer.etag);
    const callbacks = rest.filter((one) => typeof one === 'function');
    if (!isKnown(condition, answer.etag)) return end(answer.body, ...callbacks);
    response.statusCode = 304;
    for (const name of bodyHeaders) response.removeHeader(name);
    return end(...callbacks);
  };
  Object.assign(response, { end: endTagged });
  response.once('close', () => finish('abandoned'));
}
