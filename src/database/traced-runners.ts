import type { DataSource, QueryRunner } from 'typeorm';
import { tracing } from '../platform/tracing/tracing.js';
import { traced } from './traced-statement.js';

/** Traces TypeORM's own statements too: those of its repositories, and the bounds of transactions. */
export function traceRunners(dataSource: DataSource): void {
  if (!tracing()) return;
  const create = dataSource.createQueryRunner.bind(dataSource);
  const createQueryRunner: typeof create = (mode) => {
    const runner = create(mode);
    const query = runner.query.bind(runner) as (sql: string, ...rest: unknown[]) => Promise<unknown>;
    const run = (sql: string, ...rest: unknown[]) => traced({ sql, values: [] }, () => query(sql, ...rest));
    return Object.assign(runner, { query: run }) as QueryRunner;
  };
  Object.assign(dataSource, { createQueryRunner });
}
