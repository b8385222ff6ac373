import { TargetUnreachable } from './target-errors.js';

/** One bound on the time of a whole exchange, name resolution and body included, joined with the caller's own signal. */
export class Deadline {
  private readonly controller = new AbortController();
  private readonly timer: NodeJS.Timeout;
  private readonly relay: () => void;

  constructor(
    timeoutMs: number,
    private readonly outer?: AbortSignal,
  ) {
    this.timer = setTimeout(() => this.controller.abort(timedOut(timeoutMs)), timeoutMs);
    this.relay = () => this.controller.abort(outer?.reason);
    outer?.addEventListener('abort', this.relay, { once: true });
    if (outer?.aborted) this.relay();
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Settles as `work` does, or rejects with the reason as soon as the time is up. */
  async race<T>(work: Promise<T>): Promise<T> {
    let end: () => void = () => undefined;
    const over = new Promise<never>((_resolve, reject) => (end = () => reject(this.signal.reason as Error)));
    this.signal.addEventListener('abort', end, { once: true });
    if (this.signal.aborted) end();
    try {
      return await Promise.race([work, over]);
    } finally {
      this.signal.removeEventListener('abort', end);
    }
  }

  /** Stops the clock: nothing is aborted from then on. */
  stop(): void {
    clearTimeout(this.timer);
    this.outer?.removeEventListener('abort', this.relay);
  }
}

function timedOut(timeoutMs: number): TargetUnreachable {
  return new TargetUnreachable('timeout', `The response was not complete within ${timeoutMs / 1000} seconds`);
}
