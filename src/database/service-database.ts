import { setTimeout as sleep } from 'node:timers/promises';
import { isDatabaseAway } from '../common/errors/database-errors.js';
import type { Settings } from '../config/settings.js';
import { StartError } from '../config/start-error.js';
import { startEmbeddedServer } from './embedded/embedded-server.js';
import { migrate } from './migrate.js';

/** The database that the service works on: its own, or the one that DATABASE_URL names. */
export interface ServiceDatabase {
  url: string;
  /** For people: where the data are. */
  description: string;
  stop(): Promise<void>;
}

const patienceMs = 30_000;

function sentenceOf(error: unknown): string {
  return error instanceof Error && error.message ? error.message : String((error as { code?: string }).code ?? error);
}

/** Migrates the database at `url`; one that is away is waited for half a minute. */
async function migrateWhenThere(url: string, log: (line: string) => void): Promise<void> {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    try {
      await migrate(url);
      return;
    } catch (error) {
      const { host, pathname } = new URL(url);
      if (!isDatabaseAway(error))
        throw new StartError(`The database ${host}${pathname} cannot be used: ${sentenceOf(error)}`);
      if (Date.now() > deadline) {
        throw new StartError(
          `The database ${host} cannot be reached (${sentenceOf(error)}): start it, or correct DATABASE_URL`,
        );
      }
      log(`The database ${host} cannot be reached yet, trying again`);
      await sleep(1_000);
    }
  }
}

/** Starts or finds the database and brings it to the newest schema. Throws `StartError` where it cannot be used. */
export async function openServiceDatabase(settings: Settings, log: (line: string) => void): Promise<ServiceDatabase> {
  if (settings.databaseUrl !== undefined) {
    const { host, pathname } = new URL(settings.databaseUrl);
    await migrateWhenThere(settings.databaseUrl, log);
    return { url: settings.databaseUrl, description: `${host}${pathname} (DATABASE_URL)`, stop: async () => undefined };
  }
  const server = await startEmbeddedServer({ dataDir: settings.dataDir, log });
  try {
    await migrateWhenThere(server.url, log);
  } catch (error) {
    await server.stop();
    throw error;
  }
  return { url: server.url, description: `${settings.dataDir} (embedded PostgreSQL)`, stop: () => server.stop() };
}
