import { Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { Metrics } from '../../platform/http/metrics.js';
import { Database } from '../../database/database.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { JobRunner } from '../../platform/jobs/job-runner.js';
import { Searches } from '../../database/searches.js';

/** Shows how much of each pool of connections is in use, and what waits for a connection. */
@Injectable()
export class PoolMetricsRepository {
  constructor(
    metrics: Metrics,
    unitOfWork: UnitOfWork,
    private readonly database: Database,
    private readonly searches: Searches,
    private readonly jobs: JobRunner,
  ) {
    metrics.watchEach('database_connections', 'Connections of a pool, by whether they are in use', {
      labels: ['pool', 'state'],
      look: () =>
        this.pools().flatMap(([name, { totalCount, idleCount }]) => [
          { labels: [name, 'used'], value: totalCount - idleCount },
          { labels: [name, 'idle'], value: idleCount },
        ]),
    });
    const each = (name: string, help: string, of: (pool: Pool) => number): void =>
      metrics.watchEach(name, help, {
        labels: ['pool'],
        look: () => this.pools().map(([pool, one]) => ({ labels: [pool], value: of(one) })),
      });
    each('database_connections_max', 'The most connections that a pool opens', ({ options }) => options.max);
    each('database_pool_waiting', 'Statements that wait for a connection of a pool', (pool) => pool.waitingCount);
    metrics.count(
      'database_pool_waits_total',
      'Statements and transactions of requests that found no free connection',
      () => unitOfWork.waits,
    );
  }

  /** The pools by their names. A node that runs no jobs has none for them. */
  private pools(): [name: string, pool: Pool][] {
    const { database, searches, jobs } = this;
    const ofJobs: [string, Pool][] = jobs.connections ? [['jobs', jobs.connections]] : [];
    return [['requests', database.connections], ['searches', searches.connections], ...ofJobs];
  }
}
