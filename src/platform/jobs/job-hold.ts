import { setTimeout as sleep } from 'node:timers/promises';

const patienceMs = 10_000;

/** Keeps jobs from running for a while. Those in hand are aborted, and those that were fetched meanwhile are not run. */
export class JobHold {
  private readonly inHand = new Set<Promise<void>>();
  private aborting = new AbortController();
  private closed: Promise<void> | undefined;

  /** Does the work of a job, unless the jobs are replaced before it begins. */
  async run(signal: AbortSignal, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const { closed } = this;
    if (closed) {
      await closed;
      throw new Error('The data were replaced before the job began');
    }
    const running = work(AbortSignal.any([signal, this.aborting.signal]));
    this.inHand.add(running);
    try {
      await running;
    } finally {
      this.inHand.delete(running);
    }
  }

  /** Runs `replace`, which replaces the jobs, while none runs. A job that does not end when it is aborted is left to itself. */
  async whileNoneRuns<T>(replace: () => Promise<T>): Promise<T> {
    let reopen: () => void = () => undefined;
    this.closed = new Promise((resolve) => (reopen = resolve));
    const done = new AbortController();
    try {
      this.aborting.abort(new Error('The data are replaced'));
      const late = sleep(patienceMs, undefined, { signal: done.signal }).catch(() => undefined);
      await Promise.race([Promise.allSettled(this.inHand), late]);
      return await replace();
    } finally {
      done.abort();
      this.aborting = new AbortController();
      this.closed = undefined;
      reopen();
    }
  }
}
