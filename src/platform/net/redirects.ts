import type { Readable } from 'node:stream';
import type { EgressAllow } from './egress-allow.js';
import { parseTarget } from './target.js';

/** A body that is read while it is sent, and never held whole. */
export interface BodySource {
  length: number;
  open(): Readable;
}

/** One request to one server, with everything that goes over the wire. */
export interface SingleRequest {
  url: URL;
  method: string;
  headers: [string, string][];
  body: Uint8Array | BodySource | undefined;
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** The headers that a redirect to another server keeps: none that could hold a credential. */
const CARRIED_TO_OTHER_ORIGINS = new Set(['accept', 'accept-language', 'user-agent', 'content-type']);

/**
 * The request that a redirect asks for, by the rules of the Fetch standard ("HTTP-redirect fetch"), or null when the
 * answer is no redirect; throws `TargetRefused` when its target is not allowed.
 */
export function redirectedRequest(
  request: SingleRequest,
  answer: { status: number; location: string | undefined },
  allow: EgressAllow,
): SingleRequest | null {
  if (!REDIRECTS.has(answer.status) || answer.location === undefined) return null;
  // Node reads headers as Latin-1, while servers that do not encode write UTF-8.
  const url = parseTarget(Buffer.from(answer.location, 'latin1').toString('utf8'), allow, request.url);
  const next = becomesGet(answer.status, request.method) ? withoutBody(request) : request;
  const headers =
    url.origin === request.url.origin
      ? next.headers
      : next.headers.filter(([name]) => CARRIED_TO_OTHER_ORIGINS.has(name.toLowerCase()));
  return { ...next, url, headers };
}

function becomesGet(status: number, method: string): boolean {
  return status === 303 ? method !== 'HEAD' : status < 303 && method === 'POST';
}

function withoutBody(request: SingleRequest): SingleRequest {
  const headers = request.headers.filter(([name]) => !name.toLowerCase().startsWith('content-'));
  return { ...request, method: 'GET', headers, body: undefined };
}
