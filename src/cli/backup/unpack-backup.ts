import { randomBytes } from 'node:crypto';
import { appendFile, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  type ClusterDraft,
  draftCluster,
  isServed,
  makeDraft,
  syncFolder,
  syncTree,
  type TarEntry,
} from '@store-service/embedded-postgres';
import { commitRestore } from '../../config/restored-folder.js';
import { StartError } from '../../config/start-error.js';
import type { Manifest } from './backup-contents.js';
import { type BackupSource, readBackup } from './read-backup.js';

const draftPrefix = 'restore.new-';

export interface UnpackTarget {
  manifest: Manifest;
  dataDir: string;
  signal: AbortSignal;
  /** False where the data need not outlive a crash of the machine: each of some two thousand files is synced otherwise. */
  durable?: boolean;
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

/**
 * Unpacks a backup beside the files of a data folder, and commits it: `finishRestore` then puts it in their place. Throws
 * `StartError` if it cannot, and has then changed nothing.
 */
export async function unpackBackup(
  source: BackupSource,
  { manifest, dataDir, signal, durable = true }: UnpackTarget,
): Promise<void> {
  const sync = durable ? syncTree : () => Promise.resolve();
  const draft = await makeDraft(dataDir, draftPrefix);
  const cluster = await clusterFor(manifest, dataDir).catch(async (error: unknown) => {
    await rm(draft, { recursive: true, force: true });
    throw error;
  });
  try {
    await assertAlone(dataDir);
    const whole = join(draft, 'new');
    await mkdir(whole);
    if (cluster) assertServable(source.file, manifest, cluster);
    await readBackup(source, signal, (entry) =>
      extract(entry, cluster && entry.name.startsWith('postgres/') ? cluster : whole),
    );
    if (cluster) await settle(cluster, whole, sync);
    await sync(whole);
    // The service was started meanwhile: its new data stay.
    if (await isServed(dataDir)) throw new StartError(`The database of ${dataDir} was started: stop the service first`);
    commitRestore(dataDir, draft);
    await syncFolder(dataDir);
  } finally {
    await cluster?.discard();
    await rm(draft, { recursive: true, force: true });
  }
}

/** Null for a backup without the database. */
function clusterFor({ postgres }: Manifest, dataDir: string): Promise<ClusterDraft | null> {
  return postgres === null ? Promise.resolve(null) : draftCluster(dataDir, (line) => console.log(line));
}

async function settle(cluster: ClusterDraft, whole: string, sync: typeof syncTree): Promise<void> {
  await markRestored(cluster);
  await sync(cluster.folder);
  await cluster.settle(whole);
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
