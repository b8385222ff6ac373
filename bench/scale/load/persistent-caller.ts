import { setTimeout as sleep } from 'node:timers/promises';

const answerMs = 15_000;
const firstPauseMs = 250;
const longestPauseMs = 4_000;
/** A client gives up after so long, which is longer than any outage of a simulation. */
const patienceMs = 120_000;

interface Call {
  method: 'GET' | 'POST';
  path: string;
  headers: Record<string, string>;
  body?: string | FormData;
}

interface Failure {
  at: number;
  what: string;
}

/** An answer that is no success; `status` is null if there was none. */
export class CallFailed extends Error {
  constructor(
    message: string,
    readonly status: number | null,
  ) {
    super(message);
  }

  /**
   * Whether a client sends it again: nobody answered, the service could not or was busy, or the one before is in
   * progress.
   */
  get isPassing(): boolean {
    return this.status === null || this.status >= 500 || this.status === 429 || this.status === 409;
  }
}

/** Sends requests, repeats what failed as clients do, and keeps account of it. */
export class PersistentCaller {
  /** Not counting the times that one is repeated. */
  requests = 0;
  repeats = 0;
  givenUp = 0;
  /** The first failure of each request. */
  readonly failures: Failure[] = [];
  /** When a request, or a repeated one, failed last. */
  lastFailureAt = 0;

  constructor(private readonly baseUrl: string) {}

  /** Sends a request once. Throws `CallFailed`. */
  once<T>(call: Call): Promise<T> {
    this.requests++;
    return this.attempt<T>(call, true);
  }

  /** Sends a request until it succeeds. Throws `CallFailed` for a refusal, or once patience is at its end. */
  async persist<T>(call: Call): Promise<T> {
    this.requests++;
    const until = performance.now() + patienceMs;
    for (let times = 0, pauseMs = firstPauseMs; ; times++, pauseMs = Math.min(longestPauseMs, pauseMs * 2)) {
      try {
        return await this.attempt<T>(call, times === 0);
      } catch (error) {
        if (!(error instanceof CallFailed && error.isPassing) || performance.now() > until) {
          this.givenUp++;
          throw error;
        }
      }
      this.repeats++;
      await sleep(pauseMs * (0.75 + Math.random() / 2));
    }
  }

  private async attempt<T>(call: Call, isFirst: boolean): Promise<T> {
    try {
      return await this.send<T>(call);
    } catch (error) {
      this.lastFailureAt = performance.now();
      if (isFirst) this.failures.push({ at: this.lastFailureAt, what: (error as Error).message });
      throw error;
    }
  }

  private async send<T>({ method, path, headers, body }: Call): Promise<T> {
    const what = `${method} ${path.replace(/\?.*/, '').replace(/\/(?:\d+|[\da-f-]{36})(?=\/|$)/g, '/…')}`;
    const sent = { method, headers, signal: AbortSignal.timeout(answerMs), ...(body === undefined ? {} : { body }) };
    let response: Response;
    let text: string;
    try {
      response = await fetch(`${this.baseUrl}${path}`, sent);
      text = await response.text();
    } catch (error) {
      const { cause = error } = error as Error;
      throw new CallFailed(`${what}: ${cause instanceof Error ? cause.message : String(cause)}`, null);
    }
    if (!response.ok) {
      const words = /"code":"(\w+)"/.exec(text)?.[1] ?? text.replaceAll(/<[^>]*>|\s+/g, ' ').trim();
      throw new CallFailed(`${what}: ${response.status} ${words.slice(0, 100)}`, response.status);
    }
    return (response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : text) as T;
  }
}
