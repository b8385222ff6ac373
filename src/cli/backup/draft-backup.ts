import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setInterval } from 'node:timers';
import { createGzip } from 'node:zlib';
import {
  clusterVersion,
  type EmbeddedServer,
  makeDraft,
  readBaseBackup,
  readTar,
  startEmbeddedServer,
  tarEnd,
  type TarEntry,
  writeTarEntry,
} from '@store-service/embedded-postgres';
import type { Settings } from '../../config/settings.js';
import {
  clusterFolder,
  clusterName,
  manifestEntry,
  pictureEntries,
  platform,
  secretEntries,
} from './backup-contents.js';
import { MigrationsRepository } from './migrations.repository.js';
import { inMegabytes } from './command.js';
import { sealed } from './sealed-file.js';

const progressMs = 2_000;

/** A complete backup that has no name yet. */
export interface DraftBackup {
  /** Its file, which is gone after the work. */
  file: string;
  /** The bytes in it, before compression and as they lie in the file. */
  bytes: number;
  written: number;
  pictures: number;
}

/** What is to be backed up, and where its file grows. */
export interface Backed {
  settings: Pick<Settings, 'dataDir' | 'databaseUrl'>;
  passphrase: string | undefined;
  /** The folder of the draft, and the beginning of its name. */
  folder: string;
  prefix: string;
  signal: AbortSignal;
}

/** Writes a backup into a draft, and gives it to `work`. */
export async function withDraftBackup<T>(of: Backed, work: (draft: DraftBackup) => Promise<T>): Promise<T> {
  const { settings, passphrase, folder, prefix, signal } = of;
  const tally = { bytes: 0, pictures: 0 };
  const draft = await makeDraft(folder, prefix);
  const progress = setInterval(() => console.log(`${inMegabytes(tally.bytes)} so far`), progressMs);
  try {
    const file = join(draft, 'backup');
    const out = createWriteStream(file, { mode: 0o600, flags: 'wx', flush: true });
    await pipeline(
      archive(settings, tally),
      createGzip({ level: 1 }),
      (bytes: AsyncIterable<Buffer>) => sealed(bytes, passphrase),
      out,
      { signal },
    );
    clearInterval(progress);
    return await work({ ...tally, file, written: out.bytesWritten });
  } finally {
    clearInterval(progress);
    await rm(draft, { recursive: true, force: true });
  }
}

type Tally = Pick<DraftBackup, 'bytes' | 'pictures'>;

async function* archive({ dataDir, databaseUrl }: Backed['settings'], tally: Tally): AsyncGenerator<Buffer> {
  const server = databaseUrl === undefined ? await startEmbeddedServer({ dataDir }) : null;
  try {
    for await (const entry of entries(dataDir, server, tally)) {
      for await (const piece of writeTarEntry(entry)) {
        tally.bytes += piece.length;
        yield piece;
      }
    }
    yield tarEnd();
  } finally {
    await server?.stop();
  }
}

/** Copies the database before the pictures, so that the pictures it names exist, except those deleted meanwhile. */
async function* entries(dataDir: string, server: EmbeddedServer | null, tally: Tally): AsyncGenerator<TarEntry> {
  const postgres = server && (await clusterVersion(server.cluster));
  const migrations = server ? await new MigrationsRepository(server.url).names() : [];
  yield manifestEntry({ made: new Date().toISOString(), postgres, platform, migrations });
  yield* secretEntries(dataDir);
  if (server) yield* clusterEntries(server.url);
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
