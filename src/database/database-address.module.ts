import { type DynamicModule, Global, Module, type OnApplicationShutdown } from '@nestjs/common';
import type { Logger } from 'pino';
import { serviceLogger } from '../platform/http/request-log.js';
import { Settings } from '../config/settings.js';
import { DatabaseAddress } from './connections/database-address.js';
import { openServiceDatabase, type ServiceDatabase } from './service-database.js';

/** A database that the application itself opened, and closes at the end. */
class OpenedDatabase extends DatabaseAddress implements OnApplicationShutdown {
  constructor(private readonly database: ServiceDatabase) {
    const { url, directUrl, preparedStatements } = database.address;
    super(url, directUrl, preparedStatements);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.database.stop();
  }
}

/** Provides `DatabaseAddress`. Imported before `DatabaseModule`, it closes after what connects to the database. */
@Global()
@Module({})
export class DatabaseAddressModule {
  /** Of a migrated database. */
  static at(address: DatabaseAddress): DynamicModule {
    const provider = { provide: DatabaseAddress, useValue: address };
    return { module: DatabaseAddressModule, providers: [provider], exports: [DatabaseAddress] };
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
