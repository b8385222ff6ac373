import { setTimeout as sleep } from 'node:timers/promises';
import { isDatabaseAway } from '../common/errors/database-errors.js';
import type { Settings } from '../config/settings.js';
import { StartError } from '../config/start-error.js';
import { startEmbeddedServer } from '../embedded-server/embedded-server.js';
import { migrate } from './migrate.js';

/** The database that the service works on: its own, or the one that DATABASE_URL names. */
export interface ServiceDatabase {
  url: string;
  /** Where the data are, in words. */
  description: string;
  stop(): Promise<void>;
}

/** The log of a start. */
interface StartLog {
  debug(line: string): void;
  warn(line: string): void;
}

const patienceMs = 30_000;

function sentenceOf(error: unknown): string {
  return error instanceof Error && error.message ? error.message : String((error as { code?: string }).code ?? error);
}

/** Migrates the database at `url`; waits half a minute for one that is away. */
async function migrateWhenThere(url: string, log: StartLog): Promise<void> {
  const deadline = Date.now() + patienceMs;
  let said = false;
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
      if (!said) log.warn(`The database ${host} cannot be reached yet, trying again for half a minute`);
      said = true;
      await sleep(1_000);
    }
  }
}

/** Starts or finds the database and brings it to the newest schema. Throws `StartError` where it cannot be used. */
export async function openServiceDatabase(settings: Settings, log: StartLog): Promise<ServiceDatabase> {
  if (settings.databaseUrl !== undefined) {
    const { host, pathname } = new URL(settings.databaseUrl);
    await migrateWhenThere(settings.databaseUrl, log);
    return { url: settings.databaseUrl, description: `${host}${pathname} (DATABASE_URL)`, stop: async () => undefined };
  }
  const server = await startEmbeddedServer({ dataDir: settings.dataDir, log: (line) => log.debug(line) });
  try {
    await migrateWhenThere(server.url, log);
  } catch (error) {
    await server.stop();
    throw error;
  }
  const outside = !server.cluster.startsWith(settings.dataDir);
  const description = `${settings.dataDir} (embedded PostgreSQL${outside ? `, its data in ${server.cluster}` : ''})`;
  return { url: server.url, description, stop: () => server.stop() };
}
