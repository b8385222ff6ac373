import type { RequestListener, Server } from 'node:http';
import { Injectable } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Request, Response } from 'express';
import { CallerDirectory, type CallerIdentity } from '../auth/caller.js';
import { KnownTokens } from '../auth/known-tokens.js';
import { isDatabaseAway } from '../errors/database-errors.js';
import { answerTo, codeOf } from '../errors/error-answer.js';
import { AddressLimit } from '../http/address-limit.js';
import { BeforeAnswers } from '../http/before-answers.js';
import { JsonBodies } from '../http/json-body.js';
import { requestIdOf } from '../http/request-log.js';
import { asRequestUnderWay } from '../http/request-under-way.js';
import { DirectAnswers, type DirectExchange, type Outcome } from './direct-answers.js';
import { type DirectRoute, DirectRouteList } from './direct-route-list.js';

/**
 * Handles plain requests for routes with `@Direct()` in front of Express and Nest, whose steps cost more than such a
 * request itself. A plain request has an already verified token and a JSON body of a declared length: all others go
 * the long way. Limits, headers, log, metrics and refusals are the same on both.
 */
@Injectable()
export class DirectRequests {
  private routes!: DirectRouteList;

  constructor(
    private readonly tokens: KnownTokens,
    private readonly callers: CallerDirectory,
    private readonly limit: AddressLimit,
    private readonly bodies: JsonBodies,
    private readonly beforeAnswers: BeforeAnswers,
    private readonly answers: DirectAnswers,
  ) {}

  /** Takes direct requests before the application's server hands them to Express. */
  standBefore(app: NestExpressApplication): void {
    this.routes = new DirectRouteList(app);
    const server: Server = app.getHttpServer();
    const rest = server.listeners('request') as RequestListener[];
    server.removeAllListeners('request');
    server.on('request', (request: Request, response: Response) => {
      const route = this.routes.find(request.method, request.url);
      const pass = () => {
        for (const listener of rest) listener(request, response);
      };
      if (route) void this.take(route, request, response, pass);
      else pass();
    });
  }

  private async take(route: DirectRoute, request: Request, response: Response, pass: () => void): Promise<void> {
    const startedAt = performance.now();
    const exchange = { request, response, requestId: requestIdOf(request), startedAt };
    let caller: CallerIdentity | null;
    try {
      caller = this.isPlain(route, request) ? await this.callerOf(request) : null;
    } catch (error) {
      return this.answers.give(route, exchange, refusalOf(error, route, request));
    }
    if (!caller) return pass();
    request.user = caller;
    this.answers.give(route, exchange, await this.outcomeOf(route, exchange));
  }

  private isPlain({ readsBody }: DirectRoute, request: Request): boolean {
    const { headers } = request;
    if (headers['x-client-version'] !== undefined || headers.expect !== undefined) return false;
    return readsBody ? this.bodies.isPlain(request) : this.bodies.isAbsent(request);
  }

  /** The caller, or null where the long way has to identify them. */
  private async callerOf(request: Request): Promise<CallerIdentity | null> {
    const token = this.tokens.find(request.headers.authorization ?? '');
    if (!token) return null;
    return this.callers.find(token).catch((error: unknown) => {
      // The request has waited for the database once.
      if (isDatabaseAway(error)) throw error;
      // Behind Express the lookup happens again, and reports a fault that is still there.
      return null;
    });
  }

  private async outcomeOf(route: DirectRoute, exchange: DirectExchange): Promise<Outcome> {
    const { request } = exchange;
    try {
      await this.limit.count(request.ip ?? '');
      if (!route.readsBody) return { status: route.status, body: await route.handle(exchange, undefined) };
      const body = await this.bodies.read(request);
      return { status: route.status, body: await this.written(exchange, () => route.handle(exchange, body)) };
    } catch (error) {
      return refusalOf(error, route, request);
    }
  }

  /** Direct routes record nothing in the audit log: only steps before answers look for the request. */
  private written({ request, requestId }: DirectExchange, handle: () => Promise<unknown>): Promise<unknown> {
    if (!this.beforeAnswers.areAsked) return handle();
    return asRequestUnderWay({ request, requestId }, () => this.beforeAnswers.run(handle));
  }
}

function refusalOf(error: unknown, route: DirectRoute, request: Request): Outcome {
  const answer = answerTo(error, { method: request.method, path: route.path });
  return { ...answer, code: codeOf(answer.body) };
}
