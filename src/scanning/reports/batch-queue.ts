import type { AppendedFindings } from '../issues/issue-appends.service.js';
import type { PreparedBatch } from './prepared-batch.js';

/** How the two parts of a batch are written. */
export interface BatchWrites {
  issues(batch: PreparedBatch): Promise<AppendedFindings>;
  /** Begins once the issues of the batch are written. */
  events(batch: PreparedBatch, appended: AppendedFindings): Promise<void>;
}

/**
 * Writes batches in their order, on a connection whose statements are sent ahead. The issues of a batch are sent before the
 * events of the one before it, so that PostgreSQL always has one of both to write while it is told about the other.
 */
export class BatchQueue {
  private answered: Promise<unknown> = Promise.resolve();
  private before: Promise<unknown> = Promise.resolve();
  private settled: Promise<unknown> = Promise.resolve();
  private failure: { error: unknown } | null = null;

  constructor(private readonly writes: BatchWrites) {}

  /** Resolves when at most one batch waits to be written. Throws what a write threw. */
  async room(): Promise<void> {
    await this.before;
    this.assertSound();
  }

  add(batch: PreparedBatch): void {
    const issues = this.answered.then(() => this.writes.issues(batch));
    // What awaits `issues` alone, which is the next batch, goes on before the second `then`.
    const events = issues.then((appended) => appended).then((appended) => this.writes.events(batch, appended));
    this.before = this.noted(this.answered);
    this.answered = issues;
    this.settled = Promise.all([this.settled, this.noted(issues), this.noted(events)]);
  }

  /** Resolves when nothing is under way. Throws what the first failed write threw. */
  async end(): Promise<void> {
    await this.settled;
    this.assertSound();
  }

  /** PostgreSQL answers in order: what fails first is the cause of all other failures. */
  private noted(write: Promise<unknown>): Promise<unknown> {
    return write.catch((error: unknown) => {
      this.failure ??= { error };
    });
  }

  private assertSound(): void {
    if (this.failure) throw this.failure.error;
  }
}
