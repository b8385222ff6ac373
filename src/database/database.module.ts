import { type DynamicModule, Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Settings } from '../config/settings.js';
import { ChangeFeed } from './change-feed.js';
import { Changes } from './changes.js';
import { Database } from './database.js';
import { dataSourceOptions } from './data-source-options.js';
import { FirstData } from './first-data.js';
import { UnitOfWork } from './unit-of-work.js';

/** The connection pool and the two doors to it: statements and units of work. */
@Global()
@Module({})
export class DatabaseModule {
  static at(url: string): DynamicModule {
    const typeOrm = TypeOrmModule.forRootAsync({
      inject: [Settings],
      useFactory: (settings: Settings) => ({
        ...dataSourceOptions({ url, poolSize: settings.databasePoolSize, statementTimeoutMs: 30_000 }),
        autoLoadEntities: true,
        retryAttempts: 5,
        retryDelay: 1_000,
      }),
    });
    return {
      module: DatabaseModule,
      imports: [typeOrm],
      providers: [Database, UnitOfWork, ChangeFeed, Changes, FirstData],
      exports: [Database, UnitOfWork, Changes],
    };
  }
}
