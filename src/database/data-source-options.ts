import pg from 'pg';
import type { DataSourceOptions } from 'typeorm';
import { Scanning1700000001000 } from './migrations/1700000001000-scanning.js';
import { WebhookExport1700000002000 } from './migrations/1700000002000-webhook-export.js';
import { Store1700000000000 } from './migrations/1700000000000-store.js';

export interface ConnectionChoices {
  url: string;
  poolSize: number;
  /** Longest time that one statement may take; 0 for no limit. */
  statementTimeoutMs: number;
}

const numericOid = 1700;
const int8Oid = 20;

/** Numeric and bigint columns are read as numbers: all that we keep fits a double exactly at its scale. */
const types = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === numericOid || oid === int8Oid
      ? Number
      : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
};

/**
 * A connection can be cut in the moment between its being taken from the pool and TypeORM's own care for it: without this,
 * such an error would end the process. Whoever has the connection is told by his next statement.
 */
function outlive(client: pg.ClientBase): void {
  client.on('error', () => undefined);
}

/** How TypeORM connects: PostgreSQL 15 to 18, in UTC, with the migrations of the house. */
export function dataSourceOptions(choices: ConnectionChoices): DataSourceOptions {
  return {
    type: 'postgres',
    url: choices.url,
    poolSize: choices.poolSize,
    connectTimeoutMS: 5_000,
    applicationName: 'store-service',
    installExtensions: false,
    migrations: [Store1700000000000, Scanning1700000001000, WebhookExport1700000002000],
    migrationsTransactionMode: 'each',
    logging: false,
    poolErrorHandler: () => undefined, // a lost idle connection is replaced by the pool; the next query tells
    extra: {
      types,
      statement_timeout: choices.statementTimeoutMs || undefined,
      idle_in_transaction_session_timeout: 60_000,
      keepAlive: true,
      onConnect: outlive,
    },
  };
}
