import { setTimeout as sleep } from 'node:timers/promises';
import type { EmbeddedServer } from '@store-service/embedded-postgres';
import { isDatabaseAway } from '../platform/errors/database-errors.js';
import { placeOf } from '../config/database-url.js';
import type { Settings } from '../config/settings.js';
import { StartError } from '../config/start-error.js';
import { DatabaseAddress } from './connections/database-address.js';
import { checkPooledRole } from './connections/pooled-role.js';
import { migrate } from './migrate.js';

/** The service's database: its own, or the one in DATABASE_URL. */
export interface ServiceDatabase {
  address: DatabaseAddress;
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

/** A way to the database, and the setting that it comes from. */
interface Way {
  url: string;
  setting: 'DATABASE_URL' | 'DATABASE_URL_DIRECT';
}

/** Runs `work` on a database, and waits up to half a minute until it can be reached. */
async function whenThere<T>({ url, setting }: Way, log: StartLog, work: (url: string) => Promise<T>): Promise<T> {
  const deadline = Date.now() + patienceMs;
  let said = false;
  for (;;) {
    try {
      return await work(url);
    } catch (error) {
      const place = placeOf(url);
      if (error instanceof StartError) throw error;
      if (!isDatabaseAway(error)) throw new StartError(`The database ${place} cannot be used: ${sentenceOf(error)}`);
      const why = sentenceOf(error);
      if (Date.now() > deadline)
        throw new StartError(`The database ${place} cannot be reached (${why}): start it, or correct ${setting}`);
      if (!said) log.warn(`The database ${place} cannot be reached yet (${why}): trying again for half a minute`);
      said = true;
      await sleep(1_000);
    }
  }
}

/** Migrates over the direct connection, then checks the pooled one. */
async function openGivenDatabase(url: string, settings: Settings, log: StartLog): Promise<ServiceDatabase> {
  const { databaseUrlDirect } = settings;
  const direct: Way = databaseUrlDirect
    ? { url: databaseUrlDirect, setting: 'DATABASE_URL_DIRECT' }
    : { url, setting: 'DATABASE_URL' };
  await whenThere(direct, log, migrate);
  const address = DatabaseAddress.of(url, settings);
  if (address.isPooled) await whenThere({ url, setting: 'DATABASE_URL' }, log, checkPooledRole);
  const description = `${placeOf(url)} (DATABASE_URL${address.isPooled ? ', a pooler' : ''})`;
  return { address, description, stop: async () => undefined };
}

/** Starts the embedded server of a data folder. */
export type StartServer = (dataDir: string, log: (line: string) => void) => Promise<EmbeddedServer>;

// Only here, since a start on another server needs none of it.
const startServer: StartServer = async (dataDir, log) =>
  (await import('@store-service/embedded-postgres')).startEmbeddedServer({ dataDir, log });

/** Starts or finds the database and migrates it to the newest schema. Throws `StartError` if it is unusable. */
export async function openServiceDatabase(
  settings: Settings,
  log: StartLog,
  start = startServer,
): Promise<ServiceDatabase> {
  if (settings.databaseUrl !== undefined) return openGivenDatabase(settings.databaseUrl, settings, log);
  const server = await start(settings.dataDir, (line) => log.debug(line));
  try {
    await whenThere({ url: server.url, setting: 'DATABASE_URL' }, log, migrate);
  } catch (error) {
    await server.stop();
    throw error;
  }
  const outside = !server.cluster.startsWith(settings.dataDir);
  const description = `${settings.dataDir} (embedded PostgreSQL${outside ? `, its data in ${server.cluster}` : ''})`;
  return { address: DatabaseAddress.of(server.url, settings), description, stop: () => server.stop() };
}
