import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CryptoModule } from '../platform/crypto/crypto.module.js';
import { Settings } from '../config/settings.js';
import { requestConnectionExtras, statementTimeoutMs } from './connections/connection-extras.js';
import { ChangeFeed } from './change-feed.js';
import { Changes } from './changes.js';
import { Database } from './database.js';
import { KeyCheck } from './key-check.js';
import { KeyCheckRepository } from './key-check.repository.js';
import { dataSourceOptions } from './data-source-options.js';
import { Pipelines } from './connections/pipelines.js';
import { GroupCommit } from './connections/group-commit.js';
import { PartitionedTables } from './month-partitions.js';
import { MonthPartitionsRepository } from './month-partitions.repository.js';
import { DatabaseAddress } from './connections/database-address.js';
import { ConnectionWatchdog } from './connections/connection-watchdog.js';
import { Searches } from './searches.js';
import { UnitOfWork } from './unit-of-work.js';

/**
 * The connection pool with `Database`, for statements, and `UnitOfWork`, for transactions, on the database of
 * `DatabaseAddress`.
 */
@Global()
@Module({
  imports: [
    CryptoModule,
    TypeOrmModule.forRootAsync({
      inject: [Settings, DatabaseAddress],
      useFactory: ({ databasePoolSize, databasePatienceSeconds }: Settings, { url, isPooled }: DatabaseAddress) => ({
        ...dataSourceOptions({
          url,
          poolSize: databasePoolSize,
          statementTimeoutMs,
          connectTimeoutMs: databasePatienceSeconds * 1_000,
          applicationName: 'store-service',
        }),
        extra: requestConnectionExtras(isPooled),
        autoLoadEntities: true,
        retryAttempts: 5,
        retryDelay: 1_000,
      }),
    }),
  ],
  providers: [
    Database,
    UnitOfWork,
    Pipelines,
    GroupCommit,
    ConnectionWatchdog,
    ChangeFeed,
    Changes,
    PartitionedTables,
    MonthPartitionsRepository,
    KeyCheck,
    KeyCheckRepository,
    Searches,
  ],
  exports: [Database, ConnectionWatchdog, UnitOfWork, Searches, Changes, PartitionedTables, KeyCheck],
})
export class DatabaseModule {}
