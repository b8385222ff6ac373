import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Logger } from 'pino';
import { serviceLogger } from '../common/http/request-log.js';
import { Metrics } from '../common/http/metrics.js';
import { DatabaseAddress } from './database-address.js';
import type { Primary } from './failover/primary.js';

const tickMs = 1_000;

/**
 * Asks the hosts of the database each second, so that a node leaves a primary that is alive and was replaced. Where the
 * database has one host, it does nothing.
 */
@Injectable()
export class PrimaryWatch implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly primaries: Primary[];
  private readonly stop = new AbortController();
  private watching: Promise<unknown> | undefined;
  private promotions = 0;

  constructor(
    { way, directWay }: DatabaseAddress,
    @Inject(serviceLogger) private readonly logger: Logger,
    metrics: Metrics,
  ) {
    this.primaries = [...new Set([way.primary, directWay.primary])].filter((primary) => primary !== null);
    if (this.primaries.length === 0) return;
    for (const primary of this.primaries) primary.onPromotion((promotion) => this.follow(promotion));
    metrics.count('database_promotions_total', 'How often another primary was followed', () => this.promotions);
  }

  onApplicationBootstrap(): void {
    this.watching = Promise.all(this.primaries.map((primary) => this.watch(primary)));
  }

  async onApplicationShutdown(): Promise<void> {
    this.stop.abort();
    await this.watching;
    await Promise.all(this.primaries.map((primary) => primary.rest()));
  }

  private follow({ host, timeline }: { host: string; timeline: number }): void {
    this.promotions += 1;
    this.logger.warn({ host, timeline }, 'The database has another primary, which is followed from now on');
  }

  private async watch(primary: Primary): Promise<void> {
    while (!this.stop.signal.aborted) {
      await primary.look().catch((error: Error) => this.logger.debug(error.message));
      await sleep(tickMs, undefined, { signal: this.stop.signal, ref: false }).catch(() => undefined);
    }
  }
}
