// TypeORM's command line on the sources, with ormconfig.ts: `npm run migration:show`. Where DATABASE_URL is not set, on
// the embedded server, which runs as long as the command.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { loadEnvFile } from 'node:process';
import { fileURLToPath } from 'node:url';
import './ts-loader.mjs';
import { listMigrations, migrationsFolder } from './list-migrations.mjs';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
if (existsSync('.env')) loadEnvFile('.env');

async function startDatabase() {
  if (process.env['DATABASE_URL']?.trim()) return undefined;
  const { loadSettings } = await import('../src/config/settings.ts');
  const { startEmbeddedServer } = await import('@store-service/embedded-postgres');
  return startEmbeddedServer({ dataDir: loadSettings(process.env).dataDir });
}

const [command, ...given] = process.argv.slice(2);
const generates = command === 'migration:generate';

/** TypeORM wants a path; here a name is enough, with a default for most migrations. */
function withPath(args) {
  const [name = 'Change', ...rest] = args[0]?.startsWith('-') ? [undefined, ...args] : args;
  return [name.includes('/') ? name : `${migrationsFolder}/${name}`, ...rest];
}

/** The schema to compare with the entities: as the last migration leaves it. */
async function migrated(url) {
  const { migrate } = await import('../src/database/migrate.ts');
  await migrate(url);
}

const cli = createRequire(import.meta.url).resolve('typeorm/cli.js');
const loader = ['--disable-warning=ExperimentalWarning', '--import', './scripts/ts-loader.mjs'];
const database = await startDatabase();
try {
  if (generates && database) await migrated(database.url);
  const env = database ? { ...process.env, DATABASE_URL: database.url } : process.env;
  const args = [...loader, cli, command, ...(generates ? withPath(given) : given), '-d', 'ormconfig.ts'];
  const [code] = await once(spawn(process.execPath, args, { env, stdio: 'inherit' }), 'exit');
  process.exitCode = code ?? 1;
} finally {
  await database?.stop();
}
if (generates && process.exitCode === 0) {
  await listMigrations();
  console.log('Its class is listed in src/database/data-source-options.ts.');
  console.log('UPDATE_SNAPSHOTS=1 npm test -- test/architecture writes src/database/schema.sql anew.');
}
