import type { ScanEventSummary } from '@store-service/sdk';
import { problemOf } from '../../api/problem.js';
import { api, ask } from '../../api/service.js';
import type { EventFilter } from './event-filter.js';

const beatMs = 1_000;
const mostKept = 5_000;
const longestWaitMs = 30_000;

/**
 * What arrives from now on, newest first, back-dated events included, none twice. While it is paused, arrivals are
 * counted and kept aside. A lost connection is tried again and goes on where it was cut.
 */
export class Follower {
  shown = $state.raw<ScanEventSummary[]>([]);
  aside = $state.raw<ScanEventSummary[]>([]);
  isPaused = $state(false);
  /** Why nothing arrives at the moment, or an empty string. */
  problem = $state('');
  #isStopped = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #seen = new Set<string>();

  constructor(private readonly filter: EventFilter) {
    void this.#run(undefined, 0);
  }

  pause(): void {
    this.isPaused = true;
  }

  resume(): void {
    this.isPaused = false;
    this.shown = [...this.aside, ...this.shown].slice(0, mostKept);
    this.aside = [];
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  async #run(after: string | undefined, failures: number): Promise<void> {
    if (this.#isStopped) return;
    try {
      const query = { ...this.filter, size: 100, ...(after !== undefined && { after }) };
      const { data, nextCursor, more } = await ask(api.events.arrivals({ query }));
      this.problem = '';
      this.#take(data);
      this.#again(nextCursor, 0, more ? 0 : beatMs);
    } catch (error) {
      this.problem = problemOf(error).text;
      this.#again(after, failures + 1, Math.min(beatMs * 2 ** failures, longestWaitMs));
    }
  }

  #again(after: string | undefined, failures: number, waitMs: number): void {
    this.#timer = setTimeout(() => void this.#run(after, failures), waitMs);
  }

  #take(arrived: ScanEventSummary[]): void {
    const fresh = arrived.filter(({ id }) => !this.#seen.has(id)).toReversed();
    if (fresh.length === 0) return;
    for (const { id } of fresh) this.#seen.add(id);
    if (this.isPaused) this.aside = [...fresh, ...this.aside].slice(0, mostKept);
    else this.shown = [...fresh, ...this.shown].slice(0, mostKept);
  }
}
