import { existsSync } from 'node:fs';
import { extname } from 'node:path';
import { loadEnvFile } from 'node:process';
import { fileURLToPath } from 'node:url';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from './src/database/data-source-options.js';

// For TypeORM's command line: `npm run migration:show` runs it on these sources, and on the embedded server where
// DATABASE_URL is not set. On the built files: DATABASE_URL=postgres://... npx typeorm migration:show -d dist/ormconfig.js
if (existsSync('.env')) loadEnvFile('.env');
const url = process.env['DATABASE_URL_DIRECT']?.trim() || process.env['DATABASE_URL'];
if (!url) throw new Error('Set DATABASE_URL to the database whose migrations are to be handled');

export default new DataSource({
  ...dataSourceOptions({ url, poolSize: 2, statementTimeoutMs: 0 }),
  entities: [fileURLToPath(new URL(`src/**/*.entity${extname(import.meta.url)}`, import.meta.url))],
});
