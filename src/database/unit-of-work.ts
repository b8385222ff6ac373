import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { Pool, PoolClient } from 'pg';
import { DataSource, type EntityManager, type QueryRunner } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { isReadOnlyServer, isTransientConflict } from '../platform/errors/database-errors.js';
import { tracing } from '../platform/tracing/tracing.js';
import { traced } from './traced-statement.js';

/** Traces TypeORM's own statements too: those of its repositories, and the bounds of transactions. */
function traceRunners(dataSource: DataSource): void {
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

interface Unit {
  of: UnitOfWork;
  runner: QueryRunner;
  client: PoolClient;
  afterCommit: (() => unknown)[];
}

const attempts = 6;

/** One for the process, for all apps in it. */
const underWay = new AsyncLocalStorage<Unit>();

/**
 * Runs transactions. Inside `run`, `manager` and the statements of `Database` use the unit's own connection, which a
 * scope carries; outside, each takes one from the pool.
 */
@Injectable()
export class UnitOfWork {
  /** How often no connection was free. */
  waits = 0;

  /** TypeORM's pool, which requests share. */
  readonly connections: Pool;

  constructor(private readonly dataSource: DataSource) {
    this.connections = (dataSource.driver as PostgresDriver).master as Pool;
    this.guardPool();
    traceRunners(dataSource);
  }

  private get unit(): Unit | undefined {
    const unit = underWay.getStore();
    return unit?.of === this ? unit : undefined;
  }

  /** The entity manager of the current unit, or the pool's. */
  get manager(): EntityManager {
    return this.unit?.runner.manager ?? this.dataSource.manager;
  }

  /** The connection of the current unit. */
  get client(): PoolClient | undefined {
    return this.unit?.client;
  }

  /**
   * Runs `work` in one transaction and returns its result; a unit within a unit joins it. After a deadlock or
   * serialization failure it runs `work` again in a fresh transaction.
   */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.unit) return work();
    for (let attempt = 1; ; attempt++) {
      const effects: (() => unknown)[] = [];
      try {
        const result = await this.inTransaction(work, effects);
        for (const effect of effects) await effect();
        return result;
      } catch (error) {
        if (attempt === attempts || !isTransientConflict(error)) throw error;
        await sleep(Math.random() * 10 * 2 ** attempt);
      }
    }
  }

  /** Runs `work` as `run` does, returns its result, and rolls its writes back. */
  async rehearse<T>(work: () => Promise<T>): Promise<T> {
    const results: T[] = [];
    const end = new Error('A rehearsal is rolled back');
    await this.run(async () => {
      results[0] = await work();
      throw end;
    }).catch((error: unknown) => {
      if (error !== end) throw error;
    });
    return results[0] as T;
  }

  /** Runs `effect` once the current unit is committed; at once outside of any. */
  afterCommit(effect: () => unknown): void {
    const unit = this.unit;
    if (unit) unit.afterCommit.push(effect);
    else effect();
  }

  private async inTransaction<T>(work: () => Promise<T>, afterCommit: (() => unknown)[]): Promise<T> {
    const runner = this.dataSource.createQueryRunner();
    let client: PoolClient | undefined;
    try {
      client = (await runner.connect()) as PoolClient;
      await runner.startTransaction();
      const result = await underWay.run({ of: this, runner, client, afterCommit }, work);
      await runner.commitTransaction();
      return result;
    } catch (error) {
      if (runner.isTransactionActive) await runner.rollbackTransaction().catch(() => undefined);
      // The pool replaces a connection that has ended.
      if (isReadOnlyServer(error)) await client?.end();
      throw error;
    } finally {
      await runner.release();
    }
  }

  /**
   * Throws for a query that would take a second connection beside that of its unit, since it could wait for itself
   * forever.
   */
  private guardPool(): void {
    const pool = this.connections;
    const connect = pool.connect.bind(pool) as (...rest: unknown[]) => unknown;
    const guarded = (...rest: unknown[]): unknown => {
      if (this.unit) throw new Error('A query bypassed the unit of work that it runs in');
      if (pool.idleCount === 0 && pool.totalCount >= pool.options.max) this.waits += 1;
      return connect(...rest);
    };
    Object.assign(pool, { connect: guarded });
  }
}
