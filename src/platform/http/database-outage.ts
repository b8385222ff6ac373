import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Logger } from 'pino';
import { RequestLog, serviceLogger } from './request-log.js';
import { isOutage } from '../errors/database-errors.js';

const lookMs = 1_000;
/** An outage is over when the database responds and no statement has failed for this long. */
const quietMs = 3_000;

/**
 * Logs an outage of the database once with its stack when it begins, and once when it ends. Failures during the outage
 * are logged where they occur, in a line without a stack.
 */
@Injectable()
export class DatabaseOutage implements OnApplicationShutdown {
  private readonly stopping = new AbortController();
  private begun: number | undefined;
  private lastFailure = 0;
  private failures = 0;
  private responds: () => Promise<boolean> = () => Promise.resolve(true);

  constructor(
    @Inject(serviceLogger) private readonly logger: Logger,
    requests: RequestLog,
  ) {
    requests.onFailure((cause) => this.note(cause));
  }

  /** Asks the database by `responds` whether it is back. */
  lookBy(responds: () => Promise<boolean>): void {
    this.responds = responds;
  }

  /** Takes note of a failure; ignores those that are no outage. */
  note(error: unknown): void {
    if (!isOutage(error)) return;
    this.lastFailure = Date.now();
    this.failures += 1;
    if (this.begun !== undefined) return;
    this.begun = this.lastFailure;
    const { message, stack } = error as Error;
    this.logger.error({ err: error, stack }, `The database does not respond: ${message}`);
    void this.untilOver();
  }

  onApplicationShutdown(): void {
    this.stopping.abort();
  }

  private async untilOver(): Promise<void> {
    const { signal } = this.stopping;
    for (;;) {
      await sleep(lookMs, undefined, { signal, ref: false }).catch(() => undefined);
      if (signal.aborted) return;
      const isBack = await this.responds().catch(() => false);
      if (isBack && Date.now() - this.lastFailure >= quietMs) break;
    }
    const seconds = Math.round((this.lastFailure - (this.begun ?? 0)) / 1_000);
    const failures = this.failures;
    [this.begun, this.failures] = [undefined, 0];
    this.logger.warn({ seconds, failures }, 'The database responds again');
  }
}
