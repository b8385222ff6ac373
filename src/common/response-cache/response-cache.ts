import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { Settings } from '../../config/settings.js';
import { ChangeBus, type Topic } from '../changes/change-bus.js';
import { ChangeClock, type Reading } from '../changes/change-clock.js';
import { freshMs } from '../changes/freshness.js';
import { Metrics, type TimeSeries } from '../http/metrics.js';
import { requestIdOf } from '../http/request-log.js';
import { answerNote } from './cacheable.js';
import type { CacheablePaths } from './cacheable-routes.js';
import { captureAnswer, type Captured, headersFor, isKnown, notModifiedHeadersFor } from './captured-answer.js';
import { type KeptAnswer, KeptAnswers } from './kept-answers.js';

/** What a computation came to. An answer that `changed` is as of before a change that came while it was computed. */
type Landing = { answer: KeptAnswer; changed: boolean } | 'unshared' | 'abandoned';

/** A computation that others wait for instead of doing the same. */
interface Flight {
  readonly reading: Reading;
  readonly freshUntil: number;
  readonly landed: Promise<Landing>;
}

type Times = Record<200 | 304, TimeSeries>;

interface Exchange {
  readonly key: string;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly startedAt: number;
}

function pathOf({ url = '' }: IncomingMessage): string {
  const query = url.indexOf('?');
  return query < 0 ? url : url.slice(0, query);
}

/**
 * Answers public reads from memory, in front of Express. It keeps whole answers until something that they show changes
 * here, another node says so, or 1.8 s pass; computes each once at a time; and keeps none that was computed across a
 * change.
 */
// Not shown: whether an answer from memory counts against its address's limit. It does not: to refuse it would cost the
// node as much.
@Injectable()
export class ResponseCache {
  private readonly answers: KeptAnswers;
  private readonly clock = new ChangeClock();
  private readonly flights = new Map<string, Flight>();
  private readonly times = new Map<string, Times>();
  private readonly on: boolean;
  private readonly origins: ReadonlySet<string>;
  private isCacheable: CacheablePaths = () => false;
  /** Hands a request to the rest of the service. */
  private pass: RequestListener = () => undefined;
  private logger: Logger | undefined;
  private hits = 0;
  private misses = 0;

  constructor(
    settings: Settings,
    private readonly metrics: Metrics,
    changes: ChangeBus,
  ) {
    this.on = settings.responseCacheMegabytes > 0;
    this.origins = new Set(settings.corsOrigins);
    this.answers = new KeptAnswers(settings.responseCacheMegabytes * 2 ** 20);
    changes.onChange((topics) => this.forget(topics));
    changes.onMissed(() => this.forgetAll());
    metrics.watchCache(() => ({
      hits: this.hits,
      misses: this.misses,
      bytes: this.answers.bytes,
      entries: this.answers.size,
      evictions: this.answers.evictions,
    }));
  }

  /** Stands before what the server did with its requests so far. */
  standBefore(server: Server, isCacheable: CacheablePaths, logger: Logger): void {
    if (!this.on) return;
    this.isCacheable = isCacheable;
    this.logger = logger.isLevelEnabled('info') ? logger : undefined;
    const rest = server.listeners('request') as RequestListener[];
    this.pass = (request, response) => {
      for (const listener of rest) listener(request, response);
    };
    server.removeAllListeners('request');
    server.on('request', (request, response) => {
      if (request.method === 'GET' && request.headers.authorization === undefined) this.answer(request, response);
      else this.pass(request, response);
    });
  }

  private answer(request: IncomingMessage, response: ServerResponse): void {
    const startedAt = performance.now();
    const key = this.keyOf(request);
    const kept = this.answers.get(key);
    if (kept && kept.freshUntil > startedAt) this.give(kept, request, response, startedAt);
    else if (this.isCacheable(pathOf(request))) this.find({ key, request, response, startedAt });
    else this.pass(request, response);
  }

  /** The address, with the origin where answers differ by it: the listed ones alone, so that keys stay few. */
  private keyOf({ url = '', headers }: IncomingMessage): string {
    const { origin } = headers;
    return origin !== undefined && this.origins.has(origin) ? `${origin} ${url}` : url;
  }

  private give(answer: KeptAnswer, request: IncomingMessage, response: ServerResponse, startedAt: number): void {
    const id = requestIdOf(request);
    const status = isKnown(request.headers['if-none-match'], answer.etag) ? 304 : 200;
    if (status === 304) response.writeHead(304, notModifiedHeadersFor(id, answer)).end();
    else response.writeHead(200, headersFor(id, answer)).end(answer.body);
    const milliseconds = performance.now() - startedAt;
    this.hits += 1;
    this.timesOf(answer.route)[status].observe(milliseconds / 1000);
    this.logger?.info(
      {
        reqId: id,
        res: status,
        responseTime: Math.round(milliseconds),
        method: 'GET',
        url: request.url,
        kept: true,
      },
      'answered',
    );
  }

  private timesOf(route: string): Times {
    const known = this.times.get(route);
    if (known) return known;
    const times = { 200: this.metrics.timesOf(route, 200), 304: this.metrics.timesOf(route, 304) };
    this.times.set(route, times);
    return times;
  }

  private find(exchange: Exchange): void {
    const { key, request, response, startedAt } = exchange;
    const kept = this.answers.get(key);
    if (kept && kept.freshUntil > startedAt) return this.give(kept, request, response, startedAt);
    const flight = this.flights.get(key);
    // One that takes long may have read its rows too long ago for those who come now.
    if (flight && flight.freshUntil > startedAt) this.join(flight, exchange);
    else this.lead(exchange);
  }

  /** Waits for a computation under way. Who came after a change that it may have missed has it computed anew. */
  private join({ reading, landed }: Flight, exchange: Exchange): void {
    const { request, response, startedAt } = exchange;
    const cameAfterAChange = this.clock.time > reading.begunAt;
    void landed.then((landing) => {
      if (response.destroyed) return;
      if (landing === 'unshared') this.pass(request, response);
      else if (landing === 'abandoned' || (landing.changed && cameAfterAChange)) this.find(exchange);
      else this.give(landing.answer, request, response, startedAt);
    });
  }

  private lead({ key, request, response, startedAt }: Exchange): void {
    this.misses += 1;
    const reading = this.clock.begin();
    const freshUntil = startedAt + freshMs;
    const landed = new Promise<Landing>((land) => {
      captureAnswer(request, response, (captured) => {
        const landing = this.landingOf(captured, request, reading, freshUntil);
        this.clock.end(reading);
        if (this.flights.get(key) === flight) this.flights.delete(key);
        if (typeof landing === 'object' && !landing.changed) this.keep(key, landing.answer);
        land(landing);
      });
    });
    const flight: Flight = { reading, freshUntil, landed };
    this.flights.set(key, flight);
    this.pass(request, response);
  }

  private landingOf(captured: Captured, request: IncomingMessage, reading: Reading, freshUntil: number): Landing {
    if (typeof captured === 'string') return captured;
    const note = answerNote(request);
    if (!note) return 'unshared';
    return { answer: { ...captured, ...note, freshUntil }, changed: this.clock.hasChanged(reading, note.topics) };
  }

  /** Not in the place of an answer that was begun later. */
  private keep(key: string, answer: KeptAnswer): void {
    const kept = this.answers.get(key);
    if (!kept || kept.freshUntil < answer.freshUntil) this.answers.set(key, answer);
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
