import { existsSync } from 'node:fs';
import { loadEnvFile } from 'node:process';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from './src/database/data-source-options.js';

// For TypeORM's command line, on the built files:
//   DATABASE_URL=postgres://... npx typeorm migration:show -d dist/ormconfig.js
if (existsSync('.env')) loadEnvFile('.env');
const url = process.env['DATABASE_URL'];
if (!url) throw new Error('Set DATABASE_URL to the database whose migrations are to be handled');

export default new DataSource({
  ...dataSourceOptions({ url, poolSize: 2, statementTimeoutMs: 0 }),
  entities: [new URL('src/**/*.entity.js', import.meta.url).pathname],
});
