// TypeORM's command line on the sources, with ormconfig.ts: `npm run migration:show`. Where DATABASE_URL is not set, on
// the embedded server, which runs for as long as the command does.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { loadEnvFile } from 'node:process';
import { fileURLToPath } from 'node:url';
import './ts-loader.mjs';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
if (existsSync('.env')) loadEnvFile('.env');

async function startDatabase() {
  if (process.env['DATABASE_URL']?.trim()) return undefined;
  const { loadSettings } = await import('../src/config/settings.ts');
  const { startEmbeddedServer } = await import('../src/embedded-server/embedded-server.ts');
  return startEmbeddedServer({ dataDir: loadSettings(process.env).dataDir });
}

const cli = createRequire(import.meta.url).resolve('typeorm/cli.js');
const loader = ['--disable-warning=ExperimentalWarning', '--import', './scripts/ts-loader.mjs'];
const database = await startDatabase();
try {
  const env = database ? { ...process.env, DATABASE_URL: database.url } : process.env;
  const args = [...loader, cli, ...process.argv.slice(2), '-d', 'ormconfig.ts'];
  const [code] = await once(spawn(process.execPath, args, { env, stdio: 'inherit' }), 'exit');
  process.exitCode = code ?? 1;
} finally {
  await database?.stop();
}
if (process.argv[2] === 'migration:generate' && process.exitCode === 0) {
  console.log(
    'Add its class to the list in src/database/data-source-options.ts, and UPDATE_SNAPSHOTS=1 npm test -- test/architecture/schema',
  );
}
