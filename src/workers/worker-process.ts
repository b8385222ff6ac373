import type { Worker } from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import { Channel, type Serving } from '../common/workers/channel.js';
import { within } from '../common/workers/within.js';
import type { Occupancy, BoundedCount } from '../common/workers/occupancy.js';

/** A worker that does not confirm its invalidation within this time hangs: the primary process kills and replaces it. */
const hangMs = 30_000;
const measureMs = 2_000;
/** Longer than a stopping worker takes for its requests and jobs, drained. */
const stopMs = 75_000;

/** Resolves when the process has ended, or never began. */
function endOf(worker: Worker): Promise<void> {
  return new Promise((resolve) => {
    worker.on('exit', () => resolve());
    worker.on('error', () => {
      if (worker.process.pid === undefined) resolve();
    });
  });
}

/** A worker, as the primary process sees it. */
export class WorkerProcess {
  readonly channel: Channel;
  /** Resolves when the process is gone. */
  readonly gone: Promise<void>;
  /** Resolves when it serves, or to null where it died before. */
  readonly served: Promise<Serving | null>;
  /** Whether to send it changes. */
  hasJoined = false;
  private servingSince: number | undefined;
  private readonly counts: BoundedCount[][] = [];

  constructor(
    private readonly worker: Worker,
    readonly isLead: boolean,
    private readonly occupancy: Occupancy,
  ) {
    this.channel = new Channel(worker);
    this.gone = endOf(worker).then(() => {
      for (const counts of this.counts) occupancy.leave(counts);
    });
    const serving = new Promise<Serving>((resolve) => {
      this.channel.handle('serving', (told) => {
        this.servingSince = performance.now();
        resolve(told);
        return null;
      });
    });
    this.served = Promise.race([serving, this.gone.then(() => null)]);
    this.channel.handle('occupy', (counts) => this.occupy(counts));
    this.channel.handle('leave', (counts) => this.leave(counts));
  }

  get pid(): number {
    return this.worker.process.pid ?? 0;
  }

  get isServing(): boolean {
    return this.servingSince !== undefined;
  }

  get servedMs(): number {
    return this.servingSince === undefined ? 0 : performance.now() - this.servingSince;
  }

  /** Makes it invalidate the tags, and returns when it has or is dead. Calls `onHang` where it does neither. */
  async forget(cacheTags: string[], onHang: () => void): Promise<void> {
    const hang = setTimeout(() => {
      onHang();
      this.worker.process.kill('SIGKILL');
    }, hangMs);
    // If it is gone, so is its memory.
    await this.channel.ask('forget', cacheTags).catch(() => this.gone);
    clearTimeout(hang);
  }

  /** Its metrics; none where it does not answer. */
  async measure(): Promise<object[]> {
    return within(measureMs, this.channel.ask('measure', null)).catch(() => []);
  }

  /** Lets it finish its requests and jobs, and returns when it is gone. */
  async stop(signal: NodeJS.Signals, drainMs: number): Promise<void> {
    const done = new AbortController();
    this.worker.process.kill(signal);
    const late = sleep(drainMs + stopMs, undefined, { signal: done.signal })
      .then(() => this.worker.process.kill('SIGKILL'))
      .catch(() => undefined);
    await this.gone;
    done.abort();
    await late;
  }

  private occupy(counts: BoundedCount[]): number | null {
    const full = this.occupancy.take(counts);
    if (full === null) this.counts.push(counts);
    return full;
  }

  private leave(counts: BoundedCount[]): null {
    const names = JSON.stringify(counts);
    const index = this.counts.findIndex((taken) => JSON.stringify(taken) === names);
    if (index >= 0) this.occupancy.leave(this.counts.splice(index, 1)[0] ?? []);
    return null;
  }
}
