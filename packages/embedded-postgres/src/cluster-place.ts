import { link, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf, refusal } from './embedded-server-error.js';

/** The note beside the data of a finished cluster, made with it and moved with it. */
export interface ClusterNote {
  password: string;
  /** The data folder that it was made for. */
  dataDir: string;
  /** False if it was made with fsync off: it may go once its data folder is gone. */
  durable: boolean;
}

const NOTE = 'store-service.json';

/** The cluster's place inside the data folder. */
export function innerPlace(dataDir: string): string {
  return join(dataDir, 'postgres');
}

/** The file that marks a cluster as finished. */
export function noteFile(cluster: string): string {
  return join(cluster, NOTE);
}

/** The major version of the PostgreSQL that made the cluster. */
export async function clusterVersion(cluster: string): Promise<string> {
  return (await readFile(join(cluster, 'PG_VERSION'), 'utf8')).trim();
}

/** The file in the data folder that names a cluster lying elsewhere. */
function markerFile(dataDir: string): string {
  return join(dataDir, 'postgres-place.json');
}

/** Returns the place of the finished cluster of `dataDir`, or null if there is none yet. */
export async function findCluster(dataDir: string): Promise<string | null> {
  const outer = await readMarker(dataDir);
  if (outer === null) return (await readNote(innerPlace(dataDir))) === null ? null : innerPlace(dataDir);
  const note = await readNote(outer);
  if (note === null) {
    throw refusal(
      `${markerFile(dataDir)} says that the data lie in ${outer}, and there are none`,
      `Bring them back, or delete ${markerFile(dataDir)} to begin anew`,
    );
  }
  await refuseCopy(dataDir, outer, note);
  return outer;
}

/** A copied data folder names the same cluster as its original: both would write into one database. */
async function refuseCopy(dataDir: string, outer: string, note: ClusterNote): Promise<void> {
  const [here, original] = [markerFile(dataDir), markerFile(note.dataDir)];
  const [ours, theirs] = await Promise.all([stat(here), stat(original).catch(() => null)]);
  const isOriginal = theirs === null || (theirs.ino === ours.ino && theirs.dev === ours.dev);
  if (isOriginal || (await readMarker(note.dataDir)) !== outer) return;
  throw refusal(
    `${dataDir} is a copy of ${note.dataDir}, and the data of both lie in ${outer}`,
    `Delete ${here} to begin anew here`,
  );
}

/** Returns the cluster that the marker of `dataDir` names; null if there is no marker. */
export async function readMarker(dataDir: string): Promise<string | null> {
  const text = await readIfThere(markerFile(dataDir));
  if (text === null) return null;
  const marker = parseObject(text);
  if (typeof marker?.['cluster'] === 'string') return marker['cluster'];
  throw refusal(`${markerFile(dataDir)} is damaged`, 'Delete it to begin anew');
}

/** Names `cluster` as the one of `dataDir`; false if another copy of the service was first. */
export async function writeMarker(dataDir: string, cluster: string): Promise<boolean> {
  const draft = `${markerFile(dataDir)}.${process.pid}`;
  await writeFile(draft, JSON.stringify({ cluster }), { mode: 0o600, flush: true });
  try {
    await link(draft, markerFile(dataDir));
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

/** Reads the note of a finished cluster; null for an unfinished or foreign one. */
export async function readNote(cluster: string): Promise<ClusterNote | null> {
  const text = await readIfThere(noteFile(cluster));
  const note = text === null ? null : parseObject(text);
  if (typeof note?.['password'] !== 'string' || typeof note['dataDir'] !== 'string') return null;
  return { password: note['password'], dataDir: note['dataDir'], durable: note['durable'] !== false };
}

/** Writes the note that marks a cluster as finished. */
export async function writeNote(cluster: string, note: ClusterNote): Promise<string> {
  const file = noteFile(cluster);
  await writeFile(file, JSON.stringify(note), { mode: 0o600, flush: true, flag: 'wx' });
  return file;
}

/** Moves a half-made cluster out of the way, never deleting it; throws where it may be somebody's whole one. */
export async function setAsideUnfinished(dataDir: string): Promise<string | null> {
  const place = innerPlace(dataDir);
  if (!(await isThere(place)) || (await readNote(place)) !== null) return null;
  const parts = await Promise.all(['PG_VERSION', 'global/pg_control'].map((part) => isThere(join(place, part))));
  if (parts.every(Boolean)) {
    throw refusal(`${place} holds a PostgreSQL cluster that this service did not make`, 'Move it away');
  }
  const aside = `${place}.unfinished-${Date.now()}`;
  await rename(place, aside);
  return aside;
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

async function readIfThere(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(error))) return null;
    if (codeOf(error) !== 'EACCES') throw error;
    throw refusal(`${file} belongs to another user`, 'Start the service as the user who started it first', error);
  }
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return value !== null && typeof value === 'object' ? { ...value } : null;
  } catch {
    return null;
  }
}
