import { Injectable } from '@nestjs/common';
import { Settings } from '../../config/settings.js';
import { ChangeBus, type CacheTag } from '../changes/change-bus.js';
import { ChangeClock, type Reading } from '../changes/change-clock.js';
import { freshMs } from '../changes/freshness.js';
import { Metrics } from '../http/metrics.js';
import { type KeptAnswer, KeptAnswers } from './kept-answers.js';
import type { ReadyAnswer } from './ready-answer.js';

/** What a computation came to: an answer, and what it depends on; undefined where it must not be kept. */
export interface Computed {
  answer: ReadyAnswer;
  cacheTags: readonly CacheTag[] | undefined;
}

/** What is computed where memory has no answer. It throws nothing: what went wrong is an answer too. */
export interface Computation {
  readonly route: string;
  readonly compute: () => Promise<Computed>;
}

/** What a computation came to. An answer that `changed` is as of before a change that came while it was computed. */
interface Landing {
  readonly answer: ReadyAnswer;
  readonly changed: boolean;
}

/** A computation that others wait for instead of doing the same. */
interface Flight {
  readonly reading: Reading;
  readonly freshUntil: number;
  readonly landed: Promise<Landing>;
}

/**
 * Keeps whole answers until something that they show changes here, another node says so, or 1.8 s pass; has each
 * computed once at a time; and keeps none that was computed across a change.
 */
@Injectable()
export class ResponseCache {
  private readonly answers: KeptAnswers;
  private readonly clock = new ChangeClock();
  private readonly flights = new Map<string, Flight>();
  private readonly on: boolean;
  private hits = 0;
  private misses = 0;

  constructor({ responseCacheMegabytes }: Settings, metrics: Metrics, changes: ChangeBus) {
    this.on = responseCacheMegabytes > 0;
    this.answers = new KeptAnswers(responseCacheMegabytes * 2 ** 20);
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

  /** The answer that memory has under the key; undefined where there is none, or none that is fresh. */
  look(key: string): KeptAnswer | undefined {
    const kept = this.answers.get(key);
    if (!kept || kept.freshUntil <= performance.now()) return undefined;
    this.hits += 1;
    return kept;
  }

  /**
   * The answer for the key, as of its asking or later: from a computation under way or one of its own. Who comes after
   * a change that the one under way may have missed has it computed anew.
   */
  async find(key: string, computation: Computation): Promise<ReadyAnswer> {
    if (!this.on) return (await computation.compute()).answer;
    for (;;) {
      const flight = this.flights.get(key);
      // One that takes long may have read its rows too long ago for those who come now.
      if (!flight || flight.freshUntil <= performance.now()) return this.lead(key, computation);
      const cameAfterAChange = this.clock.time > flight.reading.begunAt;
      const { answer, changed } = await flight.landed;
      if (!changed || !cameAfterAChange) return answer;
      const kept = this.look(key);
      if (kept) return kept;
    }
  }

  private async lead(key: string, computation: Computation): Promise<ReadyAnswer> {
    this.misses += 1;
    const freshUntil = performance.now() + freshMs;
    const reading = this.clock.begin();
    const landed = this.land(key, computation, { reading, freshUntil });
    this.flights.set(key, { reading, freshUntil, landed });
    return (await landed).answer;
  }

  private async land(
    key: string,
    { route, compute }: Computation,
    { reading, freshUntil }: Omit<Flight, 'landed'>,
  ): Promise<Landing> {
    try {
      const { answer, cacheTags } = await compute();
      // What depends on nothing that is named, such as a refusal, may depend on anything.
      const changed = cacheTags ? this.clock.hasChanged(reading, cacheTags) : this.clock.time > reading.begunAt;
      // At once: a change that comes from here on finds the answer where it is kept.
      if (cacheTags && !changed) this.keep(key, { ...answer, route, cacheTags, freshUntil });
      return { answer, changed };
    } finally {
      this.clock.end(reading);
      if (this.flights.get(key)?.reading === reading) this.flights.delete(key);
    }
  }

  /** Not in the place of an answer that was begun later. */
  private keep(key: string, answer: KeptAnswer): void {
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
