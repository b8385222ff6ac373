import type { OnApplicationShutdown } from '@nestjs/common';
import type { ServiceDatabase } from './service-database.js';

/** Where the service's PostgreSQL is. */
export abstract class DatabaseAddress {
  abstract readonly url: string;
}

/** A database that the application itself opened, and closes at last. */
export class OpenedDatabase implements DatabaseAddress, OnApplicationShutdown {
  readonly url: string;

  constructor(private readonly database: ServiceDatabase) {
    this.url = database.url;
  }

  async onApplicationShutdown(): Promise<void> {
    await this.database.stop();
  }
}
