import { Injectable } from '@nestjs/common';
import { AxiosExchange, type RawAnswer } from './axios-exchange.js';
import { type BodyBounds, decoded, readBounded, tooLarge } from './bounded-body.js';
import { Deadline } from './deadline.js';
import { exchangeFailure } from './exchange-failure.js';
import { type BodySource, type SingleRequest, redirectedRequest } from './redirects.js';
import { approvedAddresses, Egress } from './host-approval.js';
import { literalAddress, parseTarget } from './target.js';
import { TargetUnreachable } from './target-errors.js';
import { tracing } from '../tracing/tracing.js';

export interface OutboundRequest extends BodyBounds {
  url: string;
  method?: 'GET' | 'HEAD' | 'POST';
  headers?: [string, string][];
  body?: Uint8Array | BodySource;
  /** Called with the status of the answer as soon as it arrives: its body may still fail. */
  onAnswer?: (status: number, headers: Record<string, string>) => void;
  /** 0 returns a redirect as it is; otherwise one redirect too many is an error. */
  maxRedirects: number;
  /** For the whole exchange: name resolution, every redirect, the last byte of the body. */
  timeoutMs: number;
  signal?: AbortSignal;
  /** Whether to tell the other side about the current trace. */
  tellsTrace?: boolean;
}

export interface OutboundResponse {
  /** The address of the answer, after redirects. */
  url: string;
  status: number;
  headers: Record<string, string>;
  body: Buffer;
  /** There was more than `maxBytes`, or the body broke off or was not complete in time. */
  truncated: boolean;
  contentType: string | null;
  contentLength: number | null;
}

/** How long `check` waits for a name to resolve. */
const CHECK_TIMEOUT_MS = 5_000;

/** The only way to send HTTP requests: it reaches nothing private, and bounds time and size. */
@Injectable()
export class OutboundHttp {
  constructor(
    private readonly egress: Egress,
    private readonly exchange: AxiosExchange,
  ) {}

  /**
   * Sends a request and returns the answer, whatever its status; throws `TargetRefused` when requests may not reach the
   * address, or one that it redirects to, and `TargetUnreachable` when no usable answer comes in time.
   */
  async send(request: OutboundRequest): Promise<OutboundResponse> {
    const { url, method = 'GET', headers = [], body } = request;
    const target = parseTarget(url, this.egress.allow);
    return traced({ target, method, isTold: request.tellsTrace === true, headers }, (sent) =>
      this.sendOnce({ url: target, method, headers: sent, body }, request),
    );
  }

  private async sendOnce(hop: SingleRequest, request: OutboundRequest): Promise<OutboundResponse> {
    const deadline = new Deadline(request.timeoutMs, request.signal);
    try {
      return await this.follow(hop, request, deadline);
    } finally {
      deadline.stop();
    }
  }

  /**
   * Checks, without connecting, that requests may reach `url` and throws `TargetRefused` when not; a host that does not
   * resolve now passes, since every later request is checked again.
   */
  async checkTarget(url: string): Promise<void> {
    const target = parseTarget(url, this.egress.allow);
    if (literalAddress(target) !== null) return;
    const deadline = new Deadline(CHECK_TIMEOUT_MS);
    try {
      await deadline.race(approvedAddresses(target.hostname, this.egress));
    } catch (error) {
      if (!(error instanceof TargetUnreachable)) throw error;
    } finally {
      deadline.stop();
    }
  }

  private async follow(first: SingleRequest, request: OutboundRequest, deadline: Deadline): Promise<OutboundResponse> {
    let hop = first;
    for (let redirects = 0; ; redirects += 1) {
      const answer = await deadline.race(this.exchange.send(hop, deadline.signal));
      request.onAnswer?.(answer.status, answer.headers);
      const end = (): unknown => answer.body.destroy(deadline.signal.reason as Error);
      deadline.signal.addEventListener('abort', end, { once: true });
      try {
        const redirect = { status: answer.status, location: answer.headers['location'] };
        const next = request.maxRedirects === 0 ? null : redirectedRequest(hop, redirect, this.egress.allow);
        if (next === null) {
          const response = await readAnswer(hop, answer, request);
          // What a slow answer has brought until the time was up is kept, but not that of a caller who gave up.
          request.signal?.throwIfAborted();
          return response;
        }
        if (redirects === request.maxRedirects) throw tooManyRedirects(request.maxRedirects);
        hop = next;
      } catch (error) {
        deadline.signal.throwIfAborted();
        throw error;
      } finally {
        deadline.signal.removeEventListener('abort', end);
        // Without this the connection of a redirect, whose body is not read, would stay open.
        answer.body.destroy();
      }
    }
  }
}

interface Traced {
  target: URL;
  method: string;
  headers: [string, string][];
  isTold: boolean;
}

/**
 * Sends in a span where the work in progress is traced, with the headers for it. A `traceparent` of the caller's stays.
 */
function traced<T extends { status: number }>(
  { target, method, headers, isTold }: Traced,
  send: (headers: [string, string][]) => Promise<T>,
): Promise<T> {
  const on = tracing();
  if (!on) return send(headers);
  const port = Number(target.port) || (target.protocol === 'https:' ? 443 : 80);
  const isFree = isTold && headers.every(([name]) => name.toLowerCase() !== 'traceparent');
  return on.exchange({ method, host: target.hostname, port }, (traceparent) =>
    send(isFree && traceparent !== undefined ? [...headers, ['traceparent', traceparent]] : headers),
  );
}

async function readAnswer(hop: SingleRequest, answer: RawAnswer, bounds: BodyBounds): Promise<OutboundResponse> {
  const { status, headers } = answer;
  const contentLength = toLength(headers['content-length']);
  const bodiless = hop.method === 'HEAD' || status === 204 || status === 304;
  const announced = bodiless ? 0 : (contentLength ?? 0);
  if (bounds.onTooLarge === 'refuse' && announced > bounds.maxBytes) throw tooLarge(bounds.maxBytes);
  try {
    const { body, truncated } = await readBounded(decoded(answer.body, headers['content-encoding']), bounds);
    const contentType = headers['content-type'] ?? null;
    return { url: hop.url.href, status, headers, body, truncated, contentType, contentLength };
  } catch (error) {
    throw exchangeFailure(error, hop.url.host);
  }
}

function toLength(header: string | undefined): number | null {
  const length = Number(header);
  return header !== undefined && Number.isSafeInteger(length) ? length : null;
}

function tooManyRedirects(limit: number): TargetUnreachable {
  return new TargetUnreachable(
    'too_many_redirects',
    `The address redirects more than ${limit} times: give the final address`,
  );
}
