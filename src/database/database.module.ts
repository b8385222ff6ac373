import { type DynamicModule, Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Settings } from '../config/settings.js';
import { ChangeFeed } from './change-feed.js';
import { Changes } from './changes.js';
import { Database } from './database.js';
import { dataSourceOptions } from './data-source-options.js';
import { RateLeases } from './rate-leases.js';
import { Rates } from './rates.js';
import { RatesRepository } from './rates.repository.js';
import { StockQuotas } from './stock-quotas.js';
import { DatabaseAddress, Searches } from './searches.js';
import { UnitOfWork } from './unit-of-work.js';

/** The connection pool and the two doors to it, statements and units of work; and the pool of searches with its own. */
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
      providers: [
        { provide: DatabaseAddress, useValue: { url } satisfies DatabaseAddress },
        Database,
        UnitOfWork,
        Searches,
        ChangeFeed,
        Changes,
        Rates,
        RatesRepository,
        RateLeases,
        StockQuotas,
      ],
      exports: [Database, UnitOfWork, Searches, Changes, Rates, RateLeases, StockQuotas],
    };
  }
}
