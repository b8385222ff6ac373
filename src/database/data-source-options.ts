import pg from 'pg';
import type { DataSourceOptions } from 'typeorm';
import { connectionExtras } from './connections/connection-extras.js';
import { Baseline1700000000000 } from './migrations/1700000000000-baseline.js';
import { Payments1764200000000 } from './migrations/1764200000000-payments.js';
import { OrderSearch1764230000000 } from './migrations/1764230000000-order-search.js';
import { OrderQueues1764230000001 } from './migrations/1764230000001-order-queues.js';
import { StoreEvents1764240000000 } from './migrations/1764240000000-store-events.js';
import { StoreDeliveries1764240000001 } from './migrations/1764240000001-store-deliveries.js';
import { ShopKeys1764250000000 } from './migrations/1764250000000-shop-keys.js';

const migrations = [
  Baseline1700000000000,
  Payments1764200000000,
  OrderSearch1764230000000,
  OrderQueues1764230000001,
  StoreEvents1764240000000,
  StoreDeliveries1764240000001,
  ShopKeys1764250000000,
];

/** The names of all migrations, as a migrated database stores them. */
export function migrationNames(): string[] {
  return migrations.map(({ name }) => name);
}

export interface ConnectionChoices {
  url: string;
  poolSize: number;
  /** The time limit of one statement; 0 for none. */
  statementTimeoutMs: number;
  /** The time limit for opening a connection; defaults to that of migrations. */
  connectTimeoutMs?: number;
  /** As the server shows it; defaults to that of migrations. */
  applicationName?: string;
}

/** TypeORM's connection: PostgreSQL 15 to 18, in UTC, with all migrations. */
export function dataSourceOptions(choices: ConnectionChoices): DataSourceOptions {
  return {
    type: 'postgres',
    driver: pg, // TypeORM would otherwise look for the driver and load a second one
    url: choices.url,
    poolSize: choices.poolSize,
    connectTimeoutMS: choices.connectTimeoutMs ?? 5_000,
    applicationName: choices.applicationName ?? 'store-service migrations',
    installExtensions: false,
    migrations,
    migrationsTransactionMode: 'each',
    logging: false,
    poolErrorHandler: () => undefined, // the pool replaces a lost idle connection
    extra: connectionExtras(choices.statementTimeoutMs),
  };
}
