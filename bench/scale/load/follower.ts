import { setTimeout as sleep } from 'node:timers/promises';
import { CallFailed, type PersistentCaller } from './persistent-caller.js';

const pauseMs = 300;
const patienceMs = 60_000;

interface Arrivals {
  data: { id: string }[];
  nextCursor: string;
}

/** Follows the events of the organization as a client does, with the cursor of the answer before. */
export class Follower {
  /** The ids that it was given, in order. */
  readonly given: string[] = [];
  /** How often it was told to begin anew. */
  restarts = 0;
  private cursor = '';
  private readonly stopping = new AbortController();
  private running: Promise<void> | undefined;

  constructor(
    private readonly caller: PersistentCaller,
    private readonly headers: Record<string, string>,
  ) {}

  async open(): Promise<void> {
    await this.ask();
    this.running = this.follow();
  }

  /** Follows until it has all of these, or has waited for long. */
  async finish(events: string[]): Promise<void> {
    for (const until = Date.now() + patienceMs; Date.now() < until; await sleep(pauseMs)) {
      const given = new Set(this.given);
      if (events.every((id) => given.has(id))) break;
    }
    await sleep(pauseMs * 2); // for what may come twice
    this.stop();
    await this.running;
  }

  stop(): void {
    this.stopping.abort();
  }

  private async follow(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      await this.ask();
      await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
    }
  }

  private async ask(): Promise<void> {
    const after = this.cursor === '' ? '' : `&after=${encodeURIComponent(this.cursor)}`;
    const path = `/api/v1/events/arrivals?size=100${after}`;
    try {
      const page = await this.caller.persist<Arrivals>({ method: 'GET', path, headers: this.headers });
      this.cursor = page.nextCursor;
      this.given.push(...page.data.map(({ id }) => id));
    } catch (error) {
      if (!(error instanceof CallFailed && error.status === 422)) return; // kept account of by the caller
      this.restarts += 1;
      this.cursor = '';
    }
  }
}
