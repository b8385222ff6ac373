import { randomBytes } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { readMarker, readNote } from './cluster-place.js';
import { codeOf } from './embedded-server-error.js';
import { livingPostmaster } from './postmaster-file.js';
import { endPostmaster } from './postmaster.js';

const PREFIX = 'data-';

/** A name for a cluster that lies outside its data folder. */
export function outerName(): string {
  return PREFIX + randomBytes(8).toString('hex');
}

/**
 * Looks through the clusters in `parent`, outside their data folders, for those whose data folder was deleted: ends the server
 * of one that `dataDir` replaces, and removes one that was made with fsync off. Others stay: their data folder may be on a
 * disk that is not mounted now.
 */
export async function tidyOutside(parent: string, dataDir: string, log: (line: string) => void): Promise<void> {
  for (const name of await readdir(parent)) {
    if (!name.startsWith(PREFIX)) continue;
    const cluster = join(parent, name);
    const note = await readNote(cluster);
    if (note === null) continue;
    if (!note.durable && !(await isThere(note.dataDir))) await removeDisposable(cluster);
    else if (note.dataDir === dataDir && (await readMarker(dataDir)) !== cluster) await endReplaced(cluster, log);
  }
}

async function isThere(folder: string): Promise<boolean> {
  return stat(folder).then(
    () => true,
    (error: unknown) => codeOf(error) !== 'ENOENT',
  );
}

async function removeDisposable(cluster: string): Promise<void> {
  await endServer(cluster);
  await rm(cluster, { recursive: true, force: true });
}

async function endReplaced(cluster: string, log: (line: string) => void): Promise<void> {
  await endServer(cluster);
  log(`Earlier data of this folder still lie in ${cluster}; delete them if nobody needs them`);
}

async function endServer(cluster: string): Promise<void> {
  const living = await livingPostmaster(cluster);
  if (living !== null) await endPostmaster(cluster, living.pid);
}
