import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { isServed, makeDraft } from '@store-service/embedded-postgres';
import { prepareDataFolder } from '../../config/data-folder.js';
import type { Environment } from '../../config/environment-reader.js';
import { backedUpNames, finishRestore } from '../../config/restored-folder.js';
import { loadSettings, type Settings } from '../../config/settings.js';
import { StartError } from '../../config/start-error.js';
import { type BackupShelf, shelfAt } from './backup-shelf.js';
import type { Manifest } from './backup-contents.js';
import { commandFile, databaseTools, inMegabytes, sentenceOfDisk, untilStopped } from './command.js';
import { backupNames } from './kept-backups.js';
import { passphraseOf } from './passphrase.js';
import { type BackupSource, readBackup } from './read-backup.js';
import { unpackBackup } from './unpack-backup.js';

/**
 * Restores a data folder from a backup: a file, or the name of a backup at BACKUP_TO, or `latest` there. It first checks the
 * whole backup; then it unpacks it beside the existing files, and puts it in their place at once. Throws `StartError` if it
 * cannot, and has then changed nothing.
 */
export async function restoreBackup(environment: Environment, args: string[]): Promise<void> {
  const settings = loadSettings(environment);
  const { dataDir, databaseUrl } = settings;
  const given = commandFile(args, '--restore');
  const passphrase = await passphraseOf(settings.backup);
  await untilStopped(async (signal) => {
    await withFile(given, settings, async (file) => {
      const source = { file, passphrase };
      const { bytes, manifest } = await readBackup(source, signal, async () => undefined);
      assertFits(source, manifest, settings);
      prepareDataFolder(dataDir);
      await assertFree(dataDir, args.includes('--replace'));
      console.log(`${file} is complete: ${inMegabytes(bytes)}`);
      await unpackBackup(source, { manifest, dataDir, signal }).catch((error: unknown) => {
        throw sentenceOfDisk(error, dataDir);
      });
    });
  });
  const aside = finishRestore(dataDir);
  const held = databaseUrl === undefined ? 'data' : 'pictures and keys';
  console.log(`${dataDir} now holds the ${held} of the backup. Start the service.`);
  if (aside !== undefined) console.log(`The earlier data are in ${aside}: delete that folder when nobody needs it`);
}

/** Gives the file of the named backup to `work`, which a bucket may have to be asked for. */
async function withFile(
  given: string,
  { backup, dataDir }: Settings,
  work: (file: string) => Promise<void>,
): Promise<void> {
  const isName = backupNames([given]).length > 0 && !existsSync(given);
  if (given !== 'latest' && !isName) return work(resolve(given));
  const shelf = shelfAt(backup.place);
  const name = given === 'latest' ? await newestOf(shelf) : given;
  prepareDataFolder(dataDir);
  const folder = await makeDraft(dataDir, 'restore.fetched-');
  try {
    await work(await shelf.fetch(name, folder));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function newestOf(shelf: BackupShelf): Promise<string> {
  const [newest] = backupNames(await shelf.names());
  if (newest !== undefined) return newest;
  throw new StartError(`There is no backup at ${shelf.placeOf('')}: set BACKUP_TO to where they are, or name a file`);
}

/** Whether the backup has what a data folder of these settings holds. */
function assertFits({ file }: BackupSource, { postgres }: Manifest, { databaseUrl }: Settings): void {
  if (postgres !== null && databaseUrl !== undefined) {
    throw new StartError(
      `${file} holds a database of the embedded server, and DATABASE_URL names your own: ${databaseTools}`,
    );
  }
  if (postgres === null && databaseUrl === undefined) {
    throw new StartError(`${file} holds pictures and keys, and no database: set DATABASE_URL to that database first`);
  }
}

/** Whether a restore is possible here. */
async function assertFree(dataDir: string, mayReplace: boolean): Promise<void> {
  if (await isServed(dataDir)) throw new StartError(`The database of ${dataDir} is running: stop the service first`);
  const found = (await readdir(dataDir)).filter((name) => backedUpNames.includes(name));
  if (found.length === 0 || mayReplace) return;
  throw new StartError(
    `${dataDir} holds data already (${found.join(', ')}): set DATA_DIR to an empty folder, or add --replace, ` +
      'which moves what is there into a folder before-restore-… in it',
  );
}
