import { session } from '../../api/session.svelte.js';

/** One connection: given up where it is silent for too long, where nobody sees the page, or by who began it. */
export class StreamAttempt {
  readonly signal: AbortSignal;
  /** Whether it was given up as nobody saw the page. */
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

  /** Lets it be silent for so long from now on. */
  allow(silenceMs: number): void {
    clearTimeout(this.#timer);
    if (this.signal.aborted) return;
    // Whoever has to sign in again takes their time.
    const giveUp = () => (session.state === 'ended' ? this.allow(silenceMs) : this.end());
    this.#timer = setTimeout(giveUp, silenceMs);
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#giveUp.abort();
  }
}
