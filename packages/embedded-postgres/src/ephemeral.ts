import { readFileSync, rmSync } from 'node:fs';
import { chmod, lstat, mkdtemp, readdir, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findCluster, innerPlace } from './cluster-place.js';
import { type EmbeddedServer, startEmbeddedServer } from './embedded-server.js';
import { livingPostmaster } from './postmaster-file.js';
import { endPostmaster } from './postmaster.js';
import { birth, isSameProcess } from './processes.js';
import { isRoot } from './server-user.js';

/** A data folder that is gone with the process that made it. */
export interface EphemeralFolder {
  path: string;
  /** Removes it; the server in it has been stopped. */
  remove(): Promise<void>;
  /** Ends the server in it and removes it, where the process must end at once. */
  drop(): void;
}

const prefix = 'store-service-ephemeral-';
const memory = '/dev/shm';
const roomBytes = 1_024 ** 3;

/** What a server may do whose data nobody needs after it. */
const settings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  min_wal_size: '32MB',
  max_wal_size: '128MB',
};

/** With it, rows are written without foreign keys and triggers: the data of a moment are put back as they were. */
const parameters = ['session_replication_role'];

/** In memory where a gigabyte is free, else among the temporary files. */
async function placeOfFolders(): Promise<string> {
  const room = await statfs(memory).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  );
  return room >= roomBytes ? memory : tmpdir();
}

/** Makes such a folder, and removes those that killed processes of this user left. */
export async function makeEphemeralFolder(log: (line: string) => void = () => undefined): Promise<EphemeralFolder> {
  for (const place of new Set([memory, tmpdir()])) await removeAbandoned(place, log);
  const begun = `${prefix}${process.pid}-${(await birth(process.pid)) ?? ''}-`;
  const path = await mkdtemp(join(await placeOfFolders(), begun));
  // PostgreSQL then runs as another user.
  if (isRoot()) await chmod(path, 0o711);
  return { path, remove: () => rm(path, { recursive: true, force: true, ...patience }), drop: () => drop(path) };
}

/** Starts the server of such a folder, which writes nothing through to a disk; `more` are further settings of it. */
export function startEphemeralServer(
  dataDir: string,
  log: (line: string) => void,
  more: Record<string, string> = {},
): Promise<EmbeddedServer> {
  return startEmbeddedServer({ dataDir, log, settings: { ...settings, ...more }, parameters });
}

const patience = { maxRetries: 5, retryDelay: 100 };

async function removeAbandoned(place: string, log: (line: string) => void): Promise<void> {
  for (const name of await readdir(place).catch(() => [])) {
    if (!name.startsWith(prefix)) continue;
    const folder = join(place, name);
    const found = await lstat(folder).catch(() => null);
    // Everybody may make folders there: those of others are none of ours.
    if (!found?.isDirectory() || found.uid !== process.getuid?.()) continue;
    const [pid, born] = name.slice(prefix.length).split('-');
    if (await isSameProcess(Number(pid), born === undefined || born === '' ? null : born)) continue;
    await endServerIn(folder);
    await rm(folder, { recursive: true, force: true, ...patience }).catch(() => undefined);
    log(`Removed ${folder}, which a killed process left`);
  }
}

async function endServerIn(folder: string): Promise<void> {
  const cluster = await findCluster(folder).catch(() => null);
  const living = cluster === null ? null : await livingPostmaster(cluster);
  if (cluster === null) return;
  if (living !== null) await endPostmaster(cluster, living.pid);
  await rm(cluster, { recursive: true, force: true, ...patience }).catch(() => undefined);
}

function drop(path: string): void {
  try {
    const pid = Number(readFileSync(join(innerPlace(path), 'postmaster.pid'), 'utf8').split('\n')[0]);
    if (pid > 0) process.kill(pid, 'SIGQUIT');
  } catch {
    // It does not run.
  }
  rmSync(path, { recursive: true, force: true, ...patience });
}
