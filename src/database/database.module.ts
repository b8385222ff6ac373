import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Settings } from '../config/settings.js';
import { requestConnectionExtras } from './connection-extras.js';
import { ChangeFeed } from './change-feed.js';
import { Changes } from './changes.js';
import { Database } from './database.js';
import { dataSourceOptions } from './data-source-options.js';
import { RateLeases } from './rate-leases.js';
import { Pipelines } from './pipelines.js';
import { PartitionedTables } from './month-partitions.js';
import { MonthPartitionsRepository } from './month-partitions.repository.js';
import { Rates } from './rates.js';
import { RatesRepository } from './rates.repository.js';
import { StockQuotas } from './stock-quotas.js';
import { DatabaseAddress } from './database-address.js';
import { PrimaryWatch } from './failover/primary-watch.js';
import { ReplicaReads } from './replicas/replica-reads.js';
import { Searches } from './searches.js';
import { UnitOfWork } from './unit-of-work.js';

const statementTimeoutMs = 30_000;

/**
 * The connection pool with `Database`, for statements, and `UnitOfWork`, for transactions; and the pool of searches. The
 * database is that of `DatabaseAddress`.
 */
@Global()
@Module({
  imports: [
    TypeOrmModule.forRootAsync({
      inject: [Settings, DatabaseAddress],
      useFactory: ({ databasePoolSize }: Settings, { way, isPooled }: DatabaseAddress) => ({
        ...dataSourceOptions({
          way,
          poolSize: databasePoolSize,
          statementTimeoutMs,
          applicationName: 'store-service',
        }),
        extra: requestConnectionExtras(way, statementTimeoutMs, isPooled),
        autoLoadEntities: true,
        retryAttempts: 5,
        retryDelay: 1_000,
      }),
    }),
  ],
  providers: [
    Database,
    UnitOfWork,
    Searches,
    ReplicaReads,
    Pipelines,
    PrimaryWatch,
    ChangeFeed,
    Changes,
    Rates,
    RatesRepository,
    RateLeases,
    StockQuotas,
    PartitionedTables,
    MonthPartitionsRepository,
  ],
  exports: [Database, UnitOfWork, Searches, ReplicaReads, Changes, Rates, RateLeases, StockQuotas, PartitionedTables],
})
export class DatabaseModule {}
