import { Injectable } from '@nestjs/common';
import { Settings } from '../../config/settings.js';
import { ChangeBus, type CacheTag } from '../changes/change-bus.js';
import { ChangeClock, type Reading } from '../changes/change-clock.js';
import { freshMs } from '../changes/freshness.js';
import { Metrics } from '../http/metrics.js';
import { type CachedResponse, CachedResponses } from './cached-responses.js';
import type { ReadyResponse } from './ready-response.js';

/** An answer as computed, and the cache tags that it depends on: undefined if it must not be kept. */
export interface Computed {
  answer: ReadyResponse;
  cacheTags: readonly CacheTag[] | undefined;
}

/** Computes a response that is not cached. It never throws: a failure is a response too. */
export interface Computation {
  readonly route: string;
  /** How long its response may be kept, in milliseconds, where nothing is heard of a change: 1.8 s by default. */
  readonly freshMs?: number;
  readonly compute: () => Promise<Computed>;
}

/** A response; `changed` if something changed while it was computed. */
interface Result {
  readonly answer: ReadyResponse;
  readonly changed: boolean;
}

/** A computation whose result all requests for the same key wait for. */
interface InFlightRequest {
  readonly reading: Reading;
  readonly freshUntil: number;
  readonly result: Promise<Result>;
}

/**
 * Caches whole responses until something that they show changes here or on another node, or 1.8 s pass. Computes each
 * once at a time, and caches none whose computation overlapped with a change of its subject.
 */
@Injectable()
export class ResponseCache {
  private readonly answers: CachedResponses;
  private readonly clock = new ChangeClock();
  private readonly inFlight = new Map<string, InFlightRequest>();
  /** Whether the cache is on. */
  readonly on: boolean;
  private hits = 0;
  private misses = 0;

  constructor({ responseCacheMegabytes }: Settings, metrics: Metrics, changes: ChangeBus) {
    this.on = responseCacheMegabytes > 0;
    this.answers = new CachedResponses(responseCacheMegabytes * 2 ** 20);
    changes.onChange((cacheTags) => this.forget(cacheTags));
    changes.onMissed(() => this.forgetAll());
    metrics.watchCache(() => ({
      hits: this.hits,
      misses: this.misses,
      bytes: this.answers.bytes,
      entries: this.answers.size,
      evictions: this.answers.evictions,
    }));
  }

  /** The fresh answer under the key, or undefined. */
  look(key: string): CachedResponse | undefined {
    const kept = this.answers.get(key);
    if (!kept || kept.freshUntil <= performance.now()) return undefined;
    this.hits += 1;
    return kept;
  }

  /**
   * The answer for the key, no older than this call: from the computation in flight or a new one. A call that comes
   * after a change which the computation in flight may have missed computes it anew.
   */
  async find(key: string, computation: Computation): Promise<ReadyResponse> {
    if (!this.on) return (await computation.compute()).answer;
    for (;;) {
      const request = this.inFlight.get(key);
      // A slow computation may have read its rows too long ago for this call.
      if (!request || request.freshUntil <= performance.now()) return this.begin(key, computation);
      const cameAfterAChange = this.clock.time > request.reading.begunAt;
      const { answer, changed } = await request.result;
      if (!changed || !cameAfterAChange) return answer;
      const kept = this.look(key);
      if (kept) return kept;
    }
  }

  private async begin(key: string, computation: Computation): Promise<ReadyResponse> {
    this.misses += 1;
    const freshUntil = performance.now() + (computation.freshMs ?? freshMs);
    const reading = this.clock.begin();
    const result = this.compute(key, computation, { reading, freshUntil });
    this.inFlight.set(key, { reading, freshUntil, result });
    return (await result).answer;
  }

  private async compute(
    key: string,
    { route, compute }: Computation,
    { reading, freshUntil }: Omit<InFlightRequest, 'result'>,
  ): Promise<Result> {
    try {
      const { answer, cacheTags } = await compute();
      // A response without cache tags, such as a refusal, may depend on anything.
      const changed = cacheTags ? this.clock.hasChanged(reading, cacheTags) : this.clock.time > reading.begunAt;
      // This is synchronous, so that any later change finds the response in the cache.
      if (cacheTags && !changed) this.keep(key, { ...answer, route, cacheTags, freshUntil });
      return { answer, changed };
    } finally {
      this.clock.end(reading);
      if (this.inFlight.get(key)?.reading === reading) this.inFlight.delete(key);
    }
  }

  /** Never replaces an answer whose computation began later. */
  private keep(key: string, answer: CachedResponse): void {
    const kept = this.answers.get(key);
    if (!kept || kept.freshUntil < answer.freshUntil) this.answers.set(key, answer);
  }

  private forget(cacheTags: readonly CacheTag[]): void {
    this.clock.tick(cacheTags);
    for (const cacheTag of cacheTags) this.answers.forget(cacheTag);
  }

  private forgetAll(): void {
    this.clock.tickAll();
    this.answers.clear();
  }
}
