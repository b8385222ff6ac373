import { existsSync } from 'node:fs';
import { link } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { findCluster, syncFolder } from '@store-service/embedded-postgres';
import type { Environment } from '../../config/environment-reader.js';
import { noteBackup } from '../../config/last-backup.js';
import { finishRestore } from '../../config/restored-folder.js';
import { loadSettings, type Settings } from '../../config/settings.js';
import { StartError } from '../../config/start-error.js';
import { shelfAt } from './backup-shelf.js';
import { databaseTools, inMegabytes, namesAfter, sentenceOfDisk, untilStopped } from './command.js';
import { type DraftBackup, withDraftBackup } from './draft-backup.js';
import { backupName, outlivedBackups } from './kept-backups.js';
import { passphraseOf } from './passphrase.js';
import { tryRestore } from './try-restore.js';

/** What a backup to BACKUP_TO tells the process that began it. */
export interface BackupReport {
  name: string;
  bytes: number;
}

interface Making {
  settings: Settings;
  passphrase: string | undefined;
  begun: Date;
}

/**
 * Writes a backup of the data folder, its embedded database included; the service may run meanwhile. Into the file of the
 * command, or without one to BACKUP_TO: then it is tried first, and older ones are removed as BACKUP_KEEP says. It appears when
 * it is complete. Throws `StartError` if there can be none.
 */
export async function makeBackup(environment: Environment, args: string[]): Promise<void> {
  const settings = loadSettings(environment);
  const { dataDir, databaseUrl } = settings;
  const [file] = namesAfter(args, '--backup');
  const passphrase = await passphraseOf(settings.backup);
  if (file !== undefined && existsSync(file)) throw sentenceOfDisk({ code: 'EEXIST' }, resolve(file));
  finishRestore(dataDir);
  if (databaseUrl === undefined && (await findCluster(dataDir)) === null) {
    throw new StartError(`${dataDir} does not hold a database to back up`);
  }
  const making = { settings, passphrase, begun: new Date() };
  await (file === undefined ? shelve(making) : writeTo(resolve(file), making));
  // The backup itself is whole.
  await noteBackup(dataDir, making.begun).catch(() => undefined);
  for (const line of remarks(settings, passphrase)) console.log(line);
}

function remarks(settings: Settings, passphrase: string | undefined): string[] {
  const { jwtSecret, encryptionKey, storage, databaseUrl } = settings;
  return [
    passphrase === undefined ? 'It holds secrets and is not encrypted: keep it where nobody else can read it' : '',
    (jwtSecret ?? encryptionKey)
      ? 'Keep JWT_SECRET and ENCRYPTION_KEY as well: the backup does not hold values set there'
      : '',
    storage.bucket ? 'The backup does not hold the pictures in the bucket of STORAGE_URL' : '',
    databaseUrl === undefined ? '' : `The backup does not hold the database of DATABASE_URL: ${databaseTools}`,
  ].filter((line) => line !== '');
}

function say(place: string, { written, bytes, pictures }: DraftBackup, begun: Date): void {
  const seconds = ((Date.now() - begun.getTime()) / 1_000).toFixed(1);
  const [size, whole] = [inMegabytes(written), inMegabytes(bytes)];
  console.log(`${place}: ${size} in ${seconds} s, of ${whole}, with ${pictures} pictures`);
}

async function writeTo(file: string, { settings, passphrase, begun }: Making): Promise<void> {
  const [folder, prefix] = [dirname(file), `.${basename(file)}.partial-`];
  try {
    await untilStopped((signal) =>
      withDraftBackup({ settings, passphrase, folder, prefix, signal }, async (draft) => {
        await link(draft.file, file); // never over another one
        await syncFolder(folder);
        say(file, draft, begun);
      }),
    );
  } catch (error) {
    throw sentenceOfDisk(error, file);
  }
}

/** Makes a backup at BACKUP_TO, which a restore of it into a throw-away folder has proven. */
async function shelve({ settings, passphrase, begun }: Making): Promise<void> {
  const { dataDir, backup } = settings;
  const [shelf, name] = [shelfAt(backup.place), backupName(begun)];
  await untilStopped(async (signal) => {
    const folder = await shelf.prepare(dataDir);
    try {
      await withDraftBackup({ settings, passphrase, folder, prefix: '.backup.partial-', signal }, async (draft) => {
        await tryRestore(draft, { dataDir, passphrase, signal });
        await shelf.put(draft.file, name);
        say(shelf.placeOf(name), draft, begun);
        process.send?.({ name, bytes: draft.written } satisfies BackupReport);
      });
    } catch (error) {
      throw sentenceOfDisk(error, folder);
    }
    for (const outlived of outlivedBackups(await shelf.names(), backup.keep, name)) await shelf.remove(outlived);
  });
}
