import { session } from '../../api/session.svelte.js';

/** One connection: given up if it is silent for too long, if the page is hidden, or by its owner. */
export class StreamAttempt {
  readonly signal: AbortSignal;
  /** Whether it was given up because the page was hidden. */
  isHidden = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #giveUp = new AbortController();

  constructor(over: AbortSignal) {
    this.signal = AbortSignal.any([over, this.#giveUp.signal]);
    const look = () => {
      if (!document.hidden) return;
      this.isHidden = true;
      this.end();
    };
    document.addEventListener('visibilitychange', look, { signal: this.signal });
  }

  /** Allows this much silence from now on. */
  allow(silenceMs: number): void {
    clearTimeout(this.#timer);
    if (this.signal.aborted) return;
    // Signing in again may take any time.
    const giveUp = () => (session.state === 'ended' ? this.allow(silenceMs) : this.end());
    this.#timer = setTimeout(giveUp, silenceMs);
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#giveUp.abort();
  }
}
