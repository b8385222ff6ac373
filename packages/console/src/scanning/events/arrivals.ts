import type { EventsArrivalsData, ResourceScan, ScanEventSummary, ServerSentEvent } from '@store-service/sdk';
import { lineOf, problemOf } from '../../api/problem.js';
import { api, ask } from '../../api/service.js';
import { StreamAttempt } from './stream-attempt.js';

/** How long a stream may be silent: it sends something at once, and a heartbeat every fifteen seconds. */
const firstMs = 10_000;
const idleMs = 45_000;
/** The pause between two polls when there is no stream, and the time after which a stream is tried again. */
const beatMs = 1_000;
const streamAgainMs = 300_000;
const longestWaitMs = 30_000;
/** The statuses of a response when there is no stream, or no room for one more. */
const streamless = new Set([404, 405, 406, 429, 503]);
/** Access that ends this soon after its renewal is not renewed at once. */
const renewedMs = 30_000;

/** What to follow: events by their filters, changes of scans, or both. */
export type Followed = Omit<NonNullable<EventsArrivalsData['query']>, 'size' | 'after'>;

interface Listener {
  /** Called when following begins: what existed before must be listed. */
  begin(): void;
  arrive?(events: ScanEventSummary[]): void;
  /** Receives scans that were made or changed, in their current state; if scans are followed. */
  change?(scans: ResourceScan[]): void;
  /** Reports whether arrivals come at the moment, and why not if that is known. */
  show(isLive: boolean, problem: string): void;
}

/**
 * Events that arrive from now on, each once: through a stream or, if there is none or something on the way holds it back, by
 * polling. The cursor is the same for both, so that nothing is missed or repeated after a lost connection, a restart of the
 * service, or a change from one to the other.
 */
export class Arrivals {
  #cursor: string | undefined;
  #failures = 0;
  #retryMs = 2_000;
  #streamAt = 0;
  #renewedAt = -renewedMs;
  readonly #over = new AbortController();

  constructor(
    private readonly followed: Followed,
    private readonly listener: Listener,
  ) {
    void this.#run();
  }

  stop(): void {
    this.#over.abort();
  }

  async #run(): Promise<void> {
    const { signal } = this.#over;
    while (!signal.aborted) {
      // Browsers open six connections to one service: hidden pages hold none, and catch up when they are shown.
      if (document.hidden) await this.#first(document, 'visibilitychange');
      if (signal.aborted) return;
      let waitMs: number;
      try {
        waitMs = performance.now() >= this.#streamAt ? await this.#stream() : await this.#ask();
      } catch (error) {
        waitMs = this.#failed(error);
      }
      if (!signal.aborted) await this.#rest(waitMs);
    }
  }

  /** Follows a stream until it ends. Returns the delay before continuing. */
  async #stream(): Promise<number> {
    const attempt = new StreamAttempt(this.#over.signal);
    let ending: string | undefined;
    let isAlive = false;
    attempt.allow(firstMs);
    const query = { ...this.followed, after: this.#cursor };
    // An attempt ends by itself where it is silent: signing in again takes any time.
    const silence = { firstMs: Infinity, idleMs: Infinity };
    try {
      for await (const messages of api.streamEvents({ query, signal: attempt.signal, ...silence })) {
        attempt.allow(idleMs);
        isAlive = true;
        ending = this.#take(messages) ?? ending;
      }
    } catch (error) {
      const { status = 0, retryAfterSeconds = 0 } = problemOf(error);
      if (streamless.has(status)) return this.#withoutStream(retryAfterSeconds * 1_000 || streamAgainMs);
      // The connection was lost: the next one brings what this one did not.
      if (!isAlive && !attempt.signal.aborted) throw error;
    } finally {
      attempt.end();
    }
    if (!isAlive && !attempt.isHidden) return this.#withoutStream(streamAgainMs);
    this.listener.show(false, '');
    return attempt.isHidden ? 0 : this.#waitAfter(ending);
  }

  /** Takes in the messages of one chunk; returns the stream's reason for ending, if it gives one. */
  #take(messages: ServerSentEvent[]): string | undefined {
    const events: ScanEventSummary[] = [];
    const scans: ResourceScan[] = [];
    let ending: string | undefined;
    for (const { id, event, data, retryMs } of messages) {
      this.#retryMs = retryMs ?? this.#retryMs;
      if (event === 'end') ending = (JSON.parse(data ?? '{}') as { reason?: string }).reason;
      else if (event === 'scan' && data !== undefined) scans.push(JSON.parse(data) as ResourceScan);
      else if (event === 'message' && data !== undefined) events.push(JSON.parse(data) as ScanEventSummary);
      if (id !== undefined) this.#moveTo(id);
    }
    this.#show(events, scans);
    return ending;
  }

  #show(events: ScanEventSummary[], scans: ResourceScan[]): void {
    if (events.length > 0) this.listener.arrive?.(events);
    if (scans.length > 0) this.listener.change?.(scans);
  }

  #moveTo(cursor: string): void {
    if (this.#cursor === undefined) this.listener.begin();
    this.#cursor = cursor;
    this.#failures = 0;
    this.listener.show(true, '');
  }

  #waitAfter(ending: string | undefined): number {
    // The cursor belongs to another database: what arrived meanwhile is listed.
    if (ending === 'restored') this.#cursor = undefined;
    if (ending !== 'access_ended') return this.#retryMs;
    const isAgain = performance.now() - this.#renewedAt < renewedMs;
    this.#renewedAt = performance.now();
    // The next request asks for a new token, and for a login if the session is over.
    return isAgain ? this.#retryMs : 0;
  }

  #withoutStream(againMs: number): number {
    this.#streamAt = performance.now() + againMs;
    return 0;
  }

  /** Polls once. Returns the delay before the next poll. */
  async #ask(): Promise<number> {
    const query = { ...this.followed, size: 100, ...(this.#cursor !== undefined && { after: this.#cursor }) };
    const { data, scans = [], nextCursor, more } = await ask(api.events.arrivals({ query, signal: this.#over.signal }));
    this.#show(data, scans);
    this.#moveTo(nextCursor);
    return more ? 0 : beatMs;
  }

  #failed(error: unknown): number {
    if (this.#over.signal.aborted) return 0;
    const problem = problemOf(error);
    if (problem.status === 422 && this.#cursor !== undefined) {
      this.#cursor = undefined;
      return 0;
    }
    this.listener.show(false, lineOf(problem));
    return Math.min(beatMs * 2 ** this.#failures++, longestWaitMs);
  }

  /** Waits, but no longer than until the machine is online again. */
  async #rest(ms: number): Promise<void> {
    if (ms > 0) await this.#first(window, 'online', ms);
  }

  /** Waits for the event, for this long, or until following stops. */
  async #first(target: EventTarget, event: string, ms?: number): Promise<void> {
    const done = new AbortController();
    await new Promise<void>((resolve) => {
      const timer = ms === undefined ? undefined : setTimeout(resolve, ms);
      done.signal.addEventListener('abort', () => clearTimeout(timer));
      target.addEventListener(event, () => resolve(), { signal: done.signal });
      this.#over.signal.addEventListener('abort', () => resolve(), { signal: done.signal });
    });
    done.abort();
  }
}
