import { Injectable } from '@nestjs/common';
import { busy } from '../../platform/concurrency/busy.js';
import { type FairBounds, FairSemaphore } from '../../platform/concurrency/fair-semaphore.js';
import { Invalid } from '../../platform/errors/invalid.js';
import { UpstreamFailed } from '../../platform/errors/errors.js';
import { OutboundHttp, type OutboundResponse } from '../../platform/net/outbound-http.js';
import { TargetRefused, TargetUnreachable } from '../../platform/net/target-errors.js';

const timeoutMs = 5_000;
const maxBytes = 5 * 1024 * 1024;
const maxRedirects = 5;

/**
 * Unspecified: how many pages and pictures are fetched at once. Each takes up to 5 MiB and 5 seconds, and each purpose
 * has a budget of its own: previews of pages that never respond hold up no picture and no webhook.
 */
const budgets = {
  preview: { atOnce: 16, atOncePerKey: 4, waiting: 32, waitingPerKey: 8, waitMs: 2_000 },
  picture: { atOnce: 8, atOncePerKey: 2, waiting: 24, waitingPerKey: 4, waitMs: 5_000 },
} satisfies Record<string, FairBounds>;

const refusal = busy(
  'Too many addresses are being fetched for you: wait for their responses',
  'Too many addresses are being fetched: try again in a few seconds',
  5,
);

/** The target of a fetch, its purpose, and the caller. */
export interface Fetch {
  url: string;
  accept: string;
  budget: keyof typeof budgets;
  /** The caller whose share of the budget it takes; undefined where callers are not told apart. */
  caller: string | undefined;
  /** The place of the address in the request, for the refusal. */
  location: ['body' | 'query', 'url'];
}

/** Pages and pictures elsewhere, fetched a few at a time. */
@Injectable()
export class RemoteContent {
  private readonly semaphores = {
    preview: new FairSemaphore(budgets.preview),
    picture: new FairSemaphore(budgets.picture),
  };

  constructor(private readonly http: OutboundHttp) {}

  /**
   * Returns the result of `use` on the response to a GET, whatever its status; the budget holds until then. `Invalid` at its
   * location for an address that the service may not request, `UpstreamFailed` where no whole response comes in 5 s and
   * 5 MiB, `TooManyRequests` when too many of the caller's wait, `Unavailable` when too many of all do.
   */
  async get<T>(
    { url, accept, budget, caller, location }: Fetch,
    use: (response: OutboundResponse) => T | Promise<T>,
  ): Promise<T> {
    const headers: [string, string][] = [
      ['Accept', accept],
      ['User-Agent', 'StoreService/1.0'],
    ];
    const request = { url, headers, maxBytes, onTooLarge: 'refuse', maxRedirects, timeoutMs } as const;
    try {
      const work = async (): Promise<T> => use(await this.http.send(request));
      return await this.semaphores[budget].run(work, { isForCaller: true, key: caller, refusal });
    } catch (error) {
      if (error instanceof TargetRefused) throw Invalid.at([...location], 'value_error', error.message);
      if (error instanceof TargetUnreachable) throw new UpstreamFailed(error.message, `upstream_${error.reason}`);
      throw error;
    }
  }
}
