import type { Environment } from '../config/environment-reader.js';
import { loadSettings } from '../config/settings.js';
import { StartError } from '../config/start-error.js';
import { migrationNames } from '../database/data-source-options.js';
import type { CheckState } from '../store/operation/operation.dto.js';
import { ChecksService } from '../store/operation/checks.service.js';
import { type Trial, TrialsService } from '../store/operation/trials.service.js';
import { MigrationsRepository } from './backup/migrations.repository.js';
import { openService } from './service.js';

const marks: Record<CheckState, string> = { ok: 'ok      ', warning: 'warning ', failed: 'FAILED  ', off: 'off     ' };

/**
 * Prints the checks of an operator, and changes nothing. With `tries` it also sends a mail and a sample to each webhook of the
 * shop. The exit code is 1 where something has failed.
 */
export async function checkService(environment: Environment, { tries = false } = {}): Promise<void> {
  const settings = loadSettings({ LOG_LEVEL: 'silent', ...environment });
  await assertMigrated(settings.databaseUrlDirect ?? settings.databaseUrl, settings.dataDir);
  const { database, app } = await openService(settings);
  try {
    const checks: Trial[] = await app.get(ChecksService, { strict: false }).all(null);
    if (tries) checks.push(...(await app.get(TrialsService, { strict: false }).all()));
    const width = Math.max(12, ...checks.map(({ name }) => name.length));
    for (const { name, state, message } of checks) console.log(`${marks[state]} ${name.padEnd(width)} ${message}`);
    if (checks.some(({ state }) => state === 'failed')) process.exitCode = 1;
  } finally {
    await app.close();
    await database.stop();
  }
}

/** A start migrates the database, and a check must not. */
async function assertMigrated(url: string | undefined, dataDir: string): Promise<void> {
  const { findCluster, startEmbeddedServer } = await import('@store-service/embedded-postgres');
  if (url === undefined && (await findCluster(dataDir)) === null) {
    throw new StartError(`${dataDir} does not hold a database yet: start the service first, with npm start`);
  }
  const server = url === undefined ? await startEmbeddedServer({ dataDir }) : null;
  try {
    const seen = new Set(await new MigrationsRepository(server?.url ?? url ?? '').names());
    const missing = migrationNames().filter((name) => !seen.has(name));
    if (missing.length === 0) return;
    throw new StartError(
      `The database has not seen ${missing.length} migrations of this release (${missing[0]}): start the service, which runs them`,
    );
  } finally {
    await server?.stop();
  }
}
