import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { appendFile, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import {
  type ClusterDraft,
  draftCluster,
  isServed,
  makeDraft,
  readTar,
  syncFolder,
  syncTree,
  type TarEntry,
} from '@store-service/embedded-postgres';
import { prepareDataFolder } from '../../config/data-folder.js';
import type { Environment } from '../../config/environment-reader.js';
import { backedUpNames, commitRestore, finishRestore } from '../../config/restored-folder.js';
import { loadSettings } from '../../config/settings.js';
import { StartError } from '../../config/start-error.js';
import { migrationNames } from '../../database/data-source-options.js';
import { clusterName, keptName, type Manifest, manifestName, parseManifest, platform } from './backup-contents.js';
import { commandFile, inMegabytes, refuseOwnDatabase, sentenceOfDisk, untilStopped } from './command.js';
import { passphraseOf } from './passphrase.js';
import { unsealed } from './sealed-file.js';

const draftPrefix = 'restore.new-';

/** A backup in its file. */
interface Source {
  file: string;
  passphrase: string | undefined;
}

interface Read {
  bytes: number;
  manifest: Manifest;
}

interface Target {
  manifest: Manifest;
  dataDir: string;
  signal: AbortSignal;
}

/** Handles each entry; an entry that it does not read is only checked. */
type Taker = (entry: TarEntry) => Promise<void>;

/**
 * Restores a data folder from a backup. It first checks the whole file; then it unpacks it beside the existing files,
 * and puts it in their place at once. Throws `StartError` if it cannot, and has then changed nothing.
 */
export async function restoreBackup(environment: Environment, args: string[]): Promise<void> {
  const settings = loadSettings(environment);
  const { dataDir } = settings;
  refuseOwnDatabase(settings);
  const file = resolve(commandFile(args, '--restore'));
  const source = { file, passphrase: await passphraseOf(settings.backup) };
  await untilStopped(async (signal) => {
    const { bytes, manifest } = await read(source, signal, async () => undefined);
    prepareDataFolder(dataDir);
    await assertFree(dataDir, args.includes('--replace'));
    console.log(`${file} is complete: ${inMegabytes(bytes)}`);
    await unpack(source, { manifest, dataDir, signal }).catch((error: unknown) => {
      throw sentenceOfDisk(error, dataDir);
    });
  });
  const aside = finishRestore(dataDir);
  console.log(`${dataDir} now holds the data of the backup. Start the service.`);
  if (aside !== undefined) console.log(`The earlier data are in ${aside}: delete that folder when nobody needs it`);
}

/** Reads the whole backup, checks it, and gives its entries to `take`; returns their bytes, and its manifest. */
async function read({ file, passphrase }: Source, signal: AbortSignal, take: Taker): Promise<Read> {
  let [bytes, manifest]: [number, Manifest | null] = [0, null];
  const consume = async (archive: AsyncIterable<Buffer>): Promise<void> => {
    for await (const entry of readTar(archive)) {
      if (manifest === null) manifest = await acceptedManifest(entry, file);
      else if (!keptName.test(entry.name) && !clusterName.test(entry.name)) throw unknownEntry(file, entry.name);
      else await take(entry);
      bytes += entry.size;
    }
  };
  const opened = createReadStream(file, { highWaterMark: 256 * 1024 });
  try {
    await pipeline(opened, (all) => unsealed(all, { file, passphrase }), createGunzip(), consume, { signal });
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    const isUnreadable = syscall === 'open' && (error as NodeJS.ErrnoException).path === file;
    throw isUnreadable || code === 'EISDIR' ? new StartError(`${file} cannot be read (${code})`) : error;
  }
  if (manifest === null) throw new StartError(`${file} is empty`);
  return { bytes, manifest };
}

function unknownEntry(file: string, name: string): StartError {
  return new StartError(`${file} holds ${JSON.stringify(name)}, which this release does not know: use a newer release`);
}

async function acceptedManifest(entry: TarEntry, file: string): Promise<Manifest> {
  const parts: Buffer[] = [];
  for await (const part of entry.body) parts.push(part);
  const manifest = entry.name === manifestName ? parseManifest(Buffer.concat(parts).toString()) : null;
  if (manifest === null) throw unknownEntry(file, entry.name);
  const known = new Set(migrationNames());
  const unknown = manifest.migrations.filter((name) => !known.has(name));
  if (unknown.length > 0) {
    throw new StartError(`${file} was made by a newer release (${unknown[0]}): restore it with that release`);
  }
  if (manifest.platform !== platform) {
    throw new StartError(
      `${file} was made on ${manifest.platform}, and this is ${platform}: restore it on such a machine`,
    );
  }
  return manifest;
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

async function assertAlone(dataDir: string): Promise<void> {
  const drafts = (await readdir(dataDir)).filter((name) => name.startsWith(draftPrefix));
  if (drafts.length > 1)
    throw new StartError(`Another restore into ${dataDir} is in progress: wait until it has ended`);
}

function assertServable(file: string, { postgres }: Manifest, { majorVersion }: ClusterDraft): void {
  if (postgres === majorVersion) return;
  throw new StartError(
    `${file} has data of PostgreSQL ${postgres}, and this release brings ${majorVersion}: ` +
      'restore it with the release that made it',
  );
}

async function unpack(source: Source, { manifest, dataDir, signal }: Target): Promise<void> {
  const draft = await makeDraft(dataDir, draftPrefix);
  const cluster = await draftCluster(dataDir, (line) => console.log(line)).catch(async (error: unknown) => {
    await rm(draft, { recursive: true, force: true });
    throw error;
  });
  try {
    await assertAlone(dataDir);
    assertServable(source.file, manifest, cluster);
    const whole = join(draft, 'new');
    await mkdir(whole);
    await read(source, signal, (entry) => extract(entry, entry.name.startsWith('postgres/') ? cluster : whole));
    await markRestored(cluster);
    await syncTree(cluster.folder);
    await cluster.settle(whole);
    await syncTree(whole);
    // The service was started meanwhile: its new data stay.
    if (await isServed(dataDir)) throw new StartError(`The database of ${dataDir} was started: stop the service first`);
    commitRestore(dataDir, draft);
    await syncFolder(dataDir);
  } finally {
    await cluster.discard();
    await rm(draft, { recursive: true, force: true });
  }
}

/** Marks the database as restored, so that a follower whose last event is gone learns of it. */
async function markRestored({ folder }: ClusterDraft): Promise<void> {
  await appendFile(
    join(folder, 'postgresql.auto.conf'),
    `store_service.restored = '${randomBytes(16).toString('hex')}'\n`,
  );
}

async function extract({ name, isFolder, body }: TarEntry, place: ClusterDraft | string): Promise<void> {
  const path = typeof place === 'string' ? join(place, name) : join(place.folder, name.slice('postgres/'.length));
  if (isFolder) return void (await mkdir(path, { recursive: true, mode: 0o700 }));
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeFile(path, body, { mode: 0o600, flag: 'wx' });
}
