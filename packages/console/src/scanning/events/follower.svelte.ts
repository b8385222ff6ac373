import type { ResourceScan, ScanEventSummary } from '@store-service/sdk';
import { Arrivals } from './arrivals.js';
import type { EventFilter } from './event-filter.js';
import { texts } from '../../texts/texts.js';

/** The number of lines while following: the newest ones. */
export const mostLines = 1_000;
/** Events that arrive within this time are shown together. */
const showMs = 100;

/**
 * Events that arrive from now on, newest first, back-dated ones included, each once. While it is paused, arrivals are counted
 * and kept aside.
 */
export class Follower {
  shown = $state.raw<ScanEventSummary[]>([]);
  aside = $state.raw<ScanEventSummary[]>([]);
  /** How many have arrived since the pause, including those that were too many to keep. */
  newCount = $state(0);
  /** How many have arrived in all, shown or not. */
  arrived = $state(0);
  isPaused = $state(false);
  isLive = $state(false);
  isStopped = $state(false);
  /** Why nothing arrives at the moment, or an empty string. */
  problem = $state('');
  #waiting: ScanEventSummary[] = [];
  #waitingCount = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #arrivals: Arrivals;

  /**
   * `onbegin` is called when following begins: what existed before must be listed then, so that nothing falls between. With
   * `onscans`, changed scans are followed through the same connection.
   */
  constructor(
    { since, until, ...filter }: EventFilter,
    onbegin: () => void,
    onscans?: (scans: ResourceScan[]) => void,
  ) {
    const from = since === undefined ? -Infinity : Date.parse(since);
    const to = until === undefined ? Infinity : Date.parse(until);
    const isAsked = ({ createdAt }: ScanEventSummary) => Date.parse(createdAt) >= from && Date.parse(createdAt) < to;
    const followed = onscans ? { ...filter, follow: ['EVENTS' as const, 'SCANS' as const] } : filter;
    this.#arrivals = new Arrivals(followed, {
      begin: onbegin,
      arrive: (events) => this.#wait(events.filter(isAsked)),
      ...(onscans && { change: onscans }),
      show: (isLive, problem) => {
        this.isLive = isLive;
        this.problem = problem;
      },
    });
  }

  /** A description of its state. */
  readonly state = $derived.by(() => {
    if (this.problem) return texts.events.tryingAgain(this.problem);
    if (this.isPaused) return texts.events.paused;
    return this.isLive ? texts.events.following : texts.events.connecting;
  });

  /** The newest lines: arrivals above the listed ones. */
  above(listed: readonly ScanEventSummary[]): ScanEventSummary[] {
    const known = new Set([...this.shown, ...this.aside].map(({ id }) => id));
    const lines = this.shown.slice(0, mostLines);
    for (const event of listed) {
      // Very many may be listed: those that are not shown are not compared.
      if (lines.length >= mostLines) break;
      if (!known.has(event.id)) lines.push(event);
    }
    return lines;
  }

  pause(): void {
    this.isPaused = true;
  }

  resume(): void {
    this.isPaused = false;
    this.shown = [...this.aside, ...this.shown].slice(0, mostLines);
    this.aside = [];
    this.newCount = 0;
  }

  stop(): void {
    this.isStopped = true;
    this.#arrivals.stop();
    clearTimeout(this.#timer);
  }

  #wait(events: ScanEventSummary[]): void {
    this.#waiting = [...events.toReversed(), ...this.#waiting].slice(0, mostLines);
    this.#waitingCount += events.length;
    this.#timer ??= setTimeout(() => this.#show(), showMs);
  }

  #show(): void {
    this.#timer = undefined;
    const known = new Set([...this.shown, ...this.aside].map(({ id }) => id));
    const fresh = this.#waiting.filter(({ id }) => !known.has(id));
    const freshCount = this.#waitingCount - (this.#waiting.length - fresh.length);
    this.#waiting = [];
    this.#waitingCount = 0;
    this.arrived += freshCount;
    if (this.isPaused) {
      this.aside = [...fresh, ...this.aside].slice(0, mostLines);
      this.newCount += freshCount;
    } else this.shown = [...fresh, ...this.shown].slice(0, mostLines);
  }
}
