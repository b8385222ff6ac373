import { rm } from 'node:fs/promises';
import { findCluster, makeDraft, startEmbeddedServer } from '@store-service/embedded-postgres';
import { dataDisks } from '../../config/data-disks.js';
import { finishRestore } from '../../config/restored-folder.js';
import { StartError } from '../../config/start-error.js';
import { inMegabytes, sentenceOfDisk } from './command.js';
import type { DraftBackup } from './draft-backup.js';
import { MigrationsRepository } from './migrations.repository.js';
import { RestoredRowsRepository } from './restored-rows.repository.js';
import { readBackup } from './read-backup.js';
import { unpackBackup } from './unpack-backup.js';

interface Trial {
  dataDir: string;
  passphrase: string | undefined;
  signal: AbortSignal;
}

/**
 * Restores a backup into a folder that is thrown away, starts a server on it, and reads every row. Throws where anything of
 * that fails: then the backup is worth nothing.
 */
export async function tryRestore({ file, bytes }: DraftBackup, { dataDir, passphrase, signal }: Trial): Promise<void> {
  const source = { file, passphrase };
  await assertRoom(dataDir, bytes);
  const folder = await makeDraft(dataDir, 'trial.new-', clearTrial);
  try {
    const { manifest } = await readBackup(source, signal, async () => undefined);
    await unpackBackup(source, { manifest, dataDir: folder, signal, durable: false });
    finishRestore(folder);
    if (manifest.postgres !== null) await readAll(folder, manifest.migrations, signal);
  } catch (error) {
    signal.throwIfAborted();
    const { message } = sentenceOfDisk(error, dataDir) as Error;
    throw new StartError(`The trial restore of the backup failed: ${message}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** What a server needs beside its data, and the one that serves meanwhile. */
const reserve = 100_000_000;

/** Throws where a trial could fill a disk: the database may be on the same one, and ends there. */
async function assertRoom(dataDir: string, bytes: number): Promise<void> {
  const needed = bytes + reserve;
  for (const { folder, free } of await dataDisks(dataDir)) {
    if (free >= needed) continue;
    throw new StartError(
      `The trial restore of the backup takes ${inMegabytes(needed)} in ${folder}, where ${inMegabytes(free)} are free: ` +
        'make room, or move DATA_DIR to a larger disk',
    );
  }
}

/** Ends the server of a trial that was killed, and removes its files where they lie outside of the folder. */
async function clearTrial(folder: string): Promise<void> {
  finishRestore(folder);
  if ((await findCluster(folder)) === null) return;
  const server = await startEmbeddedServer({ dataDir: folder });
  await server.stop();
  await rm(server.cluster, { recursive: true, force: true });
}

async function readAll(dataDir: string, migrations: readonly string[], signal: AbortSignal): Promise<void> {
  const server = await startEmbeddedServer({ dataDir, signal, settings: { fsync: 'off' } });
  try {
    const found = await new MigrationsRepository(server.url).names();
    if (found.join() !== migrations.join()) throw new Error('its database has other migrations than it had');
    await new RestoredRowsRepository(server.url).readAll(signal);
  } finally {
    await server.stop();
    // Where PostgreSQL's user cannot reach the data folder, its files lie outside.
    await rm(server.cluster, { recursive: true, force: true });
  }
}
