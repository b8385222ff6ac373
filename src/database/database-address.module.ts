import { type DynamicModule, Global, Module } from '@nestjs/common';
import type { Logger } from 'pino';
import { serviceLogger } from '../common/http/request-log.js';
import { Settings } from '../config/settings.js';
import { DatabaseAddress, OpenedDatabase } from './database-address.js';
import { openServiceDatabase } from './service-database.js';

/** Provides `DatabaseAddress`. Imported before `DatabaseModule`, it closes after what connects to the database. */
@Global()
@Module({})
export class DatabaseAddressModule {
  /** Of a migrated database. */
  static at(url: string): DynamicModule {
    const address = { provide: DatabaseAddress, useValue: { url } satisfies DatabaseAddress };
    return { module: DatabaseAddressModule, providers: [address], exports: [DatabaseAddress] };
  }

  /** The database of DATABASE_URL, or the embedded server's, migrated. */
  static fromSettings(): DynamicModule {
    const address = {
      provide: DatabaseAddress,
      inject: [Settings, serviceLogger],
      useFactory: async (settings: Settings, logger: Logger) =>
        new OpenedDatabase(await openServiceDatabase(settings, logger)),
    };
    return { module: DatabaseAddressModule, providers: [address], exports: [DatabaseAddress] };
  }
}
