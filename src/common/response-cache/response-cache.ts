import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { Settings } from '../../config/settings.js';
import { ChangeBus, type Topic } from '../changes/change-bus.js';
import { ChangeClock, type Reading } from '../changes/change-clock.js';
import { Metrics } from '../http/metrics.js';
import { requestIdOf } from '../http/request-log.js';
import { answerTopics } from './cacheable.js';
import { captureAnswer, isKnown } from './captured-answer.js';
import { type KeptAnswer, KeptAnswers } from './kept-answers.js';

/** Finds the route of a path whose answers may be kept. */
export type CacheableRoutes = (path: string) => string | undefined;

/** Longest time that an answer is given without asking the database; other nodes' changes show by then at the latest. */
const freshMs = 1_800;

/** A computation that others wait for instead of doing the same. */
interface Flight {
  landed: Promise<Landing>;
}

/** What a computation came to: an answer, perhaps outdated by a change at `changedAt`; or nothing that can be shared. */
interface Landing {
  answer: KeptAnswer | null;
  changedAt: number | null;
}

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  /** Hands the request to the rest of the service. */
  pass: () => void;
  startedAt: number;
}

/**
 * Answers public reads from memory, in front of Express. It keeps whole answers until something that they show changes
 * here, another node says so, or 1.8 s pass; computes each once at a time; and keeps none that was computed across a
 * change.
 */
@Injectable()
export class ResponseCache {
  private readonly answers: KeptAnswers;
  private readonly clock = new ChangeClock();
  private readonly flights = new Map<string, Flight>();
  private readonly on: boolean;
  private routes: CacheableRoutes = () => undefined;
  private logger: Logger | undefined;

  constructor(
    private readonly settings: Settings,
    private readonly metrics: Metrics,
    changes: ChangeBus,
  ) {
    this.on = settings.responseCacheMegabytes > 0;
    this.answers = new KeptAnswers(Math.max(1, settings.responseCacheMegabytes * 2 ** 20));
    changes.onChange((topics) => this.forget(topics));
    changes.onMissed(() => this.forgetAll());
    metrics.watchCache(() => ({
      bytes: this.answers.bytes,
      entries: this.answers.size,
      evictions: this.answers.evictions,
    }));
  }

  /** Stands before what the server did with its requests so far. */
  standBefore(server: Server, routes: CacheableRoutes, logger: Logger): void {
    if (!this.on) return;
    this.routes = routes;
    this.logger = logger.isLevelEnabled('info') ? logger : undefined;
    const rest = server.listeners('request') as RequestListener[];
    server.removeAllListeners('request');
    server.on('request', (request, response) => {
      const pass = () => {
        for (const listener of rest) listener(request, response);
      };
      if (request.method !== 'GET' || request.headers.authorization !== undefined) return pass();
      this.serve({ request, response, pass, startedAt: performance.now() });
    });
  }

  private serve(exchange: Exchange): void {
    const key = this.keyOf(exchange.request);
    const kept = this.answers.get(key);
    if (kept && kept.freshUntil > exchange.startedAt) return this.give(kept, exchange);
    const url = exchange.request.url ?? '';
    const query = url.indexOf('?');
    const route = this.routes(query < 0 ? url : url.slice(0, query));
    if (route === undefined) return exchange.pass();
    const flight = this.flights.get(key);
    if (flight) return this.join(flight, exchange);
    this.lead(key, route, exchange);
  }

  /** The address, with the origin where answers differ by it: the listed ones alone, so that keys stay few. */
  private keyOf({ url = '', headers }: IncomingMessage): string {
    const { origin } = headers;
    return origin !== undefined && this.settings.corsOrigins.includes(origin) ? `${origin} ${url}` : url;
  }

  private give({ route, headers, etag, body }: KeptAnswer, { request, response, startedAt }: Exchange): void {
    const id = requestIdOf(request);
    const known = isKnown(request, etag);
    const own = ['x-request-id', id, 'ETag', etag];
    if (known) response.writeHead(304, [...headers.filter(isForNotModified), ...own]).end();
    else response.writeHead(200, [...headers, 'Content-Length', String(body.length), ...own]).end(body);
    const milliseconds = performance.now() - startedAt;
    this.metrics.countHit(route, known ? 304 : 200, milliseconds / 1000);
    this.logger?.info(
      {
        method: 'GET',
        url: request.url,
        reqId: id,
        res: known ? 304 : 200,
        responseTime: Math.round(milliseconds),
        kept: true,
      },
      'answered',
    );
  }

  /** Waits for a computation under way; what changed while this caller waited is computed anew for him. */
  private join({ landed }: Flight, exchange: Exchange): void {
    const joinedAt = this.clock.time();
    void landed.then(({ answer, changedAt }) => {
      if (exchange.response.destroyed) return;
      if (!answer) exchange.pass();
      else if (changedAt !== null && changedAt <= joinedAt) this.serve({ ...exchange, startedAt: performance.now() });
      else this.give(answer, exchange);
    });
  }

  private lead(key: string, route: string, { request, response, pass, startedAt }: Exchange): void {
    this.metrics.countMiss();
    const reading = this.clock.begin();
    const landed = new Promise<Landing>((land) => {
      captureAnswer(request, response, (captured) => {
        const topics = answerTopics(request);
        const answer = captured && topics ? { ...captured, route, topics, freshUntil: startedAt + freshMs } : null;
        land(this.settle(key, reading, answer));
      });
    });
    this.flights.set(key, { landed });
    pass();
  }

  private settle(key: string, reading: Reading, answer: KeptAnswer | null): Landing {
    const changedAt = answer ? this.clock.changedSince(reading, answer.topics) : null;
    this.clock.end(reading);
    this.flights.delete(key);
    if (answer && changedAt === null) this.answers.set(key, answer);
    return { answer, changedAt };
  }

  private forget(topics: readonly Topic[]): void {
    this.clock.tick(topics);
    for (const topic of topics) this.answers.forget(topic);
  }

  private forgetAll(): void {
    this.clock.tickAll();
    this.answers.clear();
  }
}

/** A 304 says nothing of the body that it does not have. */
function isForNotModified(_: string, index: number, headers: readonly string[]): boolean {
  return headers[index - (index % 2)]?.toLowerCase() !== 'content-type';
}
