import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** What the rest of the service answered. */
export interface CapturedAnswer {
  headers: string[];
  etag: string;
  body: Buffer;
}

/** Headers that belong to one answer and not to the next. */
const ownHeaders = new Set(['x-request-id', 'connection', 'keep-alive', 'date', 'etag', 'content-length']);

/** A strong entity tag of the bytes (RFC 9110, section 8.8.3). */
export function etagOf(body: Buffer): string {
  return `"${createHash('sha1').update(body).digest('base64url')}"`;
}

/** Whether `If-None-Match` names the tag (RFC 9110, section 13.1.2). */
export function isKnown(request: IncomingMessage, etag: string): boolean {
  const known = request.headers['if-none-match'];
  if (known === undefined) return false;
  return known.trim() === '*' || known.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}

function headersOf(response: ServerResponse): string[] {
  return Object.entries(response.getHeaders())
    .filter(([name]) => !ownHeaders.has(name))
    .flatMap(([name, value]) => [value ?? []].flat().flatMap((one) => [name, String(one)]));
}

/**
 * Has `onEnd` called once, with the whole answer when it is a 200 that was sent in one piece, else with null. The
 * answer gets an entity tag on its way, or becomes a 304 where the caller has it already.
 */
export function captureAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  onEnd: (answer: CapturedAnswer | null) => void,
): void {
  let ended = false;
  const finish = (answer: CapturedAnswer | null) => {
    if (ended) return;
    ended = true;
    onEnd(answer);
  };
  const end = response.end.bind(response) as (...rest: unknown[]) => ServerResponse;
  const tagged = (...rest: unknown[]): ServerResponse => {
    const [chunk, encoding] = rest;
    const whole = typeof chunk === 'string' || chunk instanceof Uint8Array;
    if (response.statusCode !== 200 || response.headersSent || !whole || ended) {
      finish(null);
      return end(...rest);
    }
    const body =
      typeof chunk === 'string'
        ? Buffer.from(chunk, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8')
        : Buffer.from(chunk);
    const etag = etagOf(body);
    response.setHeader('Cache-Control', 'no-cache');
    const headers = headersOf(response);
    response.setHeader('ETag', etag);
    finish({ headers, etag, body });
    if (!isKnown(request, etag)) return end(body);
    response.statusCode = 304;
    response.removeHeader('Content-Type');
    response.removeHeader('Content-Length');
    return end();
  };
  Object.assign(response, { end: tagged });
  response.once('close', () => finish(null));
}
