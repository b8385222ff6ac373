import { createWriteStream, existsSync } from 'node:fs';
import { link, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setInterval } from 'node:timers';
import { createGzip } from 'node:zlib';
import {
  clusterVersion,
  type EmbeddedServer,
  findCluster,
  makeDraft,
  readBaseBackup,
  readTar,
  startEmbeddedServer,
  syncFolder,
  tarEnd,
  type TarEntry,
  writeTarEntry,
} from '@store-service/embedded-postgres';
import type { Environment } from '../../config/environment-reader.js';
import { noteBackup } from '../../config/last-backup.js';
import { finishRestore } from '../../config/restored-folder.js';
import { loadSettings, type Settings } from '../../config/settings.js';
import { StartError } from '../../config/start-error.js';
import {
  clusterFolder,
  clusterName,
  manifestEntry,
  pictureEntries,
  platform,
  secretEntries,
} from './backup-contents.js';
import { MigrationsRepository } from './migrations.repository.js';
import { commandFile, inMegabytes, refuseOwnDatabase, sentenceOfDisk, untilStopped } from './command.js';
import { passphraseOf } from './passphrase.js';
import { sealed } from './sealed-file.js';

const progressMs = 2_000;

/** The bytes in the backup so far. */
interface Tally {
  bytes: number;
  pictures: number;
}

/**
 * Writes a backup of the data folder, its database included, into the file of the command; the service may run
 * meanwhile. The file appears when it is complete. Throws `StartError` if there can be none.
 */
export async function makeBackup(environment: Environment, args: string[]): Promise<void> {
  const settings = loadSettings(environment);
  const { dataDir } = settings;
  refuseOwnDatabase(settings);
  const file = resolve(commandFile(args, '--backup'));
  const passphrase = await passphraseOf(settings.backup);
  if (existsSync(file)) throw sentenceOfDisk({ code: 'EEXIST' }, file);
  finishRestore(dataDir);
  if ((await findCluster(dataDir)) === null) throw new StartError(`${dataDir} does not hold a database to back up`);
  const begun = Date.now();
  const tally = await write(file, dataDir, passphrase);
  // The backup itself is whole.
  await noteBackup(dataDir, new Date(begun)).catch(() => undefined);
  const [size, seconds] = [inMegabytes(tally.written), ((Date.now() - begun) / 1_000).toFixed(1)];
  console.log(`${file}: ${size} in ${seconds} s, of ${inMegabytes(tally.bytes)}, with ${tally.pictures} pictures`);
  for (const line of remarks(settings, passphrase)) console.log(line);
}

function remarks(settings: Settings, passphrase: string | undefined): string[] {
  const { jwtSecret, encryptionKey, storage } = settings;
  return [
    passphrase === undefined ? 'It holds secrets and is not encrypted: keep it where nobody else can read it' : '',
    (jwtSecret ?? encryptionKey)
      ? 'Keep JWT_SECRET and ENCRYPTION_KEY as well: the backup does not hold values set there'
      : '',
    storage.bucket ? 'The backup does not hold the pictures in the bucket of STORAGE_URL' : '',
  ].filter((line) => line !== '');
}

async function write(
  file: string,
  dataDir: string,
  passphrase: string | undefined,
): Promise<Tally & { written: number }> {
  const [folder, prefix] = [dirname(file), `.${basename(file)}.partial-`];
  const tally = { bytes: 0, pictures: 0 };
  const draft = await makeDraft(folder, prefix).catch((error: unknown) => {
    throw sentenceOfDisk(error, file);
  });
  const progress = setInterval(() => console.log(`${inMegabytes(tally.bytes)} so far`), progressMs);
  try {
    const out = createWriteStream(join(draft, 'backup'), { mode: 0o600, flags: 'wx', flush: true });
    await untilStopped((signal) =>
      pipeline(
        archive(dataDir, tally),
        createGzip({ level: 1 }),
        (bytes: AsyncIterable<Buffer>) => sealed(bytes, passphrase),
        out,
        { signal },
      ),
    );
    await link(join(draft, 'backup'), file); // never over another one
    await syncFolder(folder);
    return { ...tally, written: out.bytesWritten };
  } catch (error) {
    throw sentenceOfDisk(error, file);
  } finally {
    clearInterval(progress);
    await rm(draft, { recursive: true, force: true });
  }
}

async function* archive(dataDir: string, tally: Tally): AsyncGenerator<Buffer> {
  const server = await startEmbeddedServer({ dataDir });
  try {
    for await (const entry of entries(dataDir, server, tally)) {
      for await (const piece of writeTarEntry(entry)) {
        tally.bytes += piece.length;
        yield piece;
      }
    }
    yield tarEnd();
  } finally {
    await server.stop();
  }
}

/** Copies the database before the pictures, so that the pictures it names exist, except those deleted meanwhile. */
async function* entries(dataDir: string, { url, cluster }: EmbeddedServer, tally: Tally): AsyncGenerator<TarEntry> {
  const [postgres, migrations] = [await clusterVersion(cluster), await new MigrationsRepository(url).names()];
  yield manifestEntry({ made: new Date().toISOString(), postgres, platform, migrations });
  yield* secretEntries(dataDir);
  yield* clusterEntries(url);
  for await (const picture of pictureEntries(dataDir)) {
    tally.pictures += 1;
    yield picture;
  }
}

async function* clusterEntries(url: string): AsyncGenerator<TarEntry> {
  const missing = new Set(['PG_VERSION', 'backup_label', 'global/pg_control']);
  for await (const entry of readTar(readBaseBackup(url))) {
    const name = entry.name.replace(/^(\.\/)+/, '');
    missing.delete(name);
    const kept = { ...entry, name: `${clusterFolder}/${name}` };
    if (clusterName.test(kept.name)) yield kept; // else it is none of PostgreSQL's
  }
  if (missing.size > 0) throw new Error(`PostgreSQL sent no ${[...missing].join(', ')}`);
}
