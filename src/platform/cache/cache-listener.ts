import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { answerTo } from '../errors/error-answer.js';
import { RuleBroken } from '../errors/errors.js';
import { AddressLimit } from '../http/address-limit.js';
import { namesSeveralHosts } from '../http/connection-bounds.js';
import { RequestLog, requestIdOf } from '../http/request-log.js';
import { DefaultHeaders } from '../http/default-headers.js';
import { type CacheableRead, CacheableRoutes } from './cacheable-routes.js';
import { PageReads } from './page-reads.js';
import { type ReadyResponse, readyResponse, readyRefusal, send } from './ready-response.js';
import { type Computation, ResponseCache } from './response-cache.js';

interface Exchange {
  readonly request: IncomingMessage & { readonly ip?: string };
  readonly response: ServerResponse;
  readonly url: string;
  /** The origin of the request if responses depend on it, else empty. */
  readonly origin: string;
  readonly startedAt: number;
}

/**
 * Serves public reads in front of Express and Nest, whose steps cost more than the read itself: from memory, or else by
 * the route's handler. Limits, headers, log and metrics are those of every route.
 */
// Unspecified: whether a cached response counts against the limit of its address. It does not: a refusal would cost
// the node as much.
@Injectable()
export class CacheListener {
  private routes!: CacheableRoutes;

  constructor(
    private readonly cache: ResponseCache,
    private readonly headers: DefaultHeaders,
    private readonly limit: AddressLimit,
    private readonly log: RequestLog,
    private readonly pages: PageReads,
  ) {}

  /** Takes public reads before the application's server handles its requests. */
  mount(app: NestExpressApplication): void {
    this.routes = new CacheableRoutes(app);
    const server: Server = app.getHttpServer();
    const rest = server.listeners('request') as RequestListener[];
    server.removeAllListeners('request');
    server.on('request', (request, response) => {
      if (namesSeveralHosts(request)) return this.refuseHosts(request, response);
      const reads = request.method === 'GET' || request.method === 'HEAD';
      if (reads && this.takes(request, response)) return;
      this.pages.note(request, undefined);
      for (const listener of rest) listener(request, response);
    });
  }

  private refuseHosts(request: IncomingMessage, response: ServerResponse): void {
    const exchange = { request, response, url: request.url ?? '', origin: '', startedAt: performance.now() };
    const reason = new RuleBroken(
      'The request names its host more than once: send a single Host header',
      'bad_request',
    );
    response.shouldKeepAlive = false;
    this.give(this.refusal(reason, exchange), 'none', exchange, false);
  }

  /** Serves a request for a public read; returns false for any other request. */
  private takes(request: IncomingMessage, response: ServerResponse): boolean {
    const { url = '' } = request;
    const origin = this.headers.originOf(request);
    const exchange = { request, response, url, origin, startedAt: performance.now() };
    const key = origin === '' ? url : `${origin} ${url}`;
    const kept = this.cache.look(key);
    if (kept) {
      this.give(kept, kept.route, exchange, true);
      return true;
    }
    const read = this.routes.find(url);
    if (read) void this.answer(key, read, exchange);
    return read !== undefined;
  }

  private async answer(key: string, read: CacheableRead, exchange: Exchange): Promise<void> {
    this.give(await this.find(key, read, exchange), read.route, exchange, false);
  }

  private async find(key: string, read: CacheableRead, exchange: Exchange): Promise<ReadyResponse> {
    try {
      await this.limit.count(exchange.request.ip ?? '');
      return await this.cache.find(key, this.computation(read, exchange));
    } catch (error) {
      return this.refusal(error, exchange);
    }
  }

  private computation(read: CacheableRead, exchange: Exchange): Computation {
    return {
      route: read.route,
      compute: async () => {
        try {
          const { value, cacheTags } = await read.compute();
          return { answer: { ...readyResponse(value, this.headers.listOf(exchange.origin)), cacheTags }, cacheTags };
        } catch (error) {
          return { answer: this.refusal(error, exchange), cacheTags: undefined };
        }
      },
    };
  }

  private refusal(error: unknown, { request, origin, url }: Exchange): ReadyResponse {
    const place = { method: request.method ?? 'GET', path: url };
    return readyRefusal(answerTo(error, place), this.headers.listOf(origin));
  }

  private give(answer: ReadyResponse, route: string, { request, response, startedAt }: Exchange, kept: boolean): void {
    this.pages.note(request, answer.cacheTags);
    const requestId = requestIdOf(request);
    const abandoned = response.destroyed;
    const status = abandoned ? answer.status : send(answer, requestId, request, response);
    const milliseconds = performance.now() - startedAt;
    this.log.record({
      request,
      route,
      requestId,
      status,
      milliseconds,
      abandoned,
      kept,
      code: answer.code,
      cause: answer.cause,
    });
  }
}
