import { Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { DataSource } from 'typeorm';
import { Metrics } from '../common/http/metrics.js';
import { UnitOfWork } from './unit-of-work.js';

/** Shows how much of each pool of connections is in use, and what waits for a connection. */
@Injectable()
export class PoolMetrics {
  private readonly pools = new Map<string, Pool>();

  constructor(metrics: Metrics, dataSource: DataSource, unitOfWork: UnitOfWork) {
    this.watch('requests', (dataSource.driver as unknown as { master: Pool }).master);
    metrics.watchEach('database_connections', 'Connections of a pool, by whether they are in use', {
      labels: ['pool', 'state'],
      look: () =>
        [...this.pools].flatMap(([name, { totalCount, idleCount }]) => [
          { labels: [name, 'used'], value: totalCount - idleCount },
          { labels: [name, 'idle'], value: idleCount },
        ]),
    });
    const each = (name: string, help: string, of: (pool: Pool) => number): void =>
      metrics.watchEach(name, help, {
        labels: ['pool'],
        look: () => [...this.pools].map(([pool, one]) => ({ labels: [pool], value: of(one) })),
      });
    each('database_connections_max', 'The most connections that a pool opens', ({ options }) => options.max);
    each('database_pool_waiting', 'Statements that wait for a connection of a pool', (pool) => pool.waitingCount);
    metrics.count(
      'database_pool_waits_total',
      'Statements and transactions of requests that found no free connection',
      () => unitOfWork.waits,
    );
  }

  /** Shows a pool under this name, in the place of the one before. */
  watch(name: string, pool: Pool): void {
    this.pools.set(name, pool);
  }
}
