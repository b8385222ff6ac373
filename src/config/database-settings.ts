import { readDatabaseUrl } from './database-url.js';
import type { EnvironmentReader } from './environment-reader.js';

/** Reads the settings of the database and its connections. */
export function readDatabaseSettings(read: EnvironmentReader) {
  const settings = {
    databaseUrl: readDatabaseUrl(read, 'DATABASE_URL'),
    databaseUrlDirect: readDatabaseUrl(read, 'DATABASE_URL_DIRECT'),
    databasePoolSize: read.integer('DATABASE_POOL_SIZE', 10, 2, 200),
    databasePatienceSeconds: read.integer('DATABASE_PATIENCE_SECONDS', 2, 1, 60),
    searchPoolSize: read.integer('DATABASE_SEARCH_POOL_SIZE', 4, 1, 50),
    searchSeconds: read.integer('SEARCH_SECONDS', 10, 1, 600),
    preparedStatements: read.flag('PREPARED_STATEMENTS', undefined),
  };
  if (settings.databaseUrlDirect !== undefined && read.text('DATABASE_URL') === undefined) {
    read.problems.push('DATABASE_URL_DIRECT leads past a pooler: set DATABASE_URL to the pooler, or leave it out');
  }
  return settings;
}
