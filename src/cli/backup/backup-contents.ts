import { type TarEntry } from '@store-service/embedded-postgres';
import { open, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';

/** The facts about a backup, in its first entry. */
export interface Manifest {
  made: string;
  /** The major version of PostgreSQL; null if the database is not in the backup. */
  postgres: string | null;
  /** The kind of machine: the files of a database depend on it, too. */
  platform: string;
  /** The migrations that its database has seen; none without one. */
  migrations: string[];
}

export const manifestName = 'manifest.json';
/** The path of the cluster's entries. */
export const clusterFolder = 'postgres';
export const secretNames = ['jwt-secret', 'encryption-key'];
/** Of entries that are files of the data folder; never through "..". */
export const keptName = /^(jwt-secret|encryption-key|uploads(\/[\w-]+(\/[\w-][\w.-]*)?)?)$/;
/** Of entries within the cluster, as PostgreSQL names its files. */
export const clusterName = /^postgres(\/[\w-][\w.-]*)+$/;

/** The kind of this machine. */
export const platform = `${process.platform}-${process.arch}`;

function entryOf(name: string, bytes: Buffer): TarEntry {
  return { name, isFolder: false, size: bytes.length, body: Readable.from([bytes]) };
}

/** The entry with the facts about the backup. */
export function manifestEntry(manifest: Manifest): TarEntry {
  return entryOf(manifestName, Buffer.from(JSON.stringify(manifest)));
}

/** Reads the manifest from that entry; null if the entry holds none. */
export function parseManifest(text: string): Manifest | null {
  try {
    const { made, postgres, platform: kind, migrations } = JSON.parse(text) as Partial<Record<string, unknown>>;
    if (typeof made !== 'string' || typeof kind !== 'string') return null;
    if (postgres !== null && typeof postgres !== 'string') return null;
    if (!Array.isArray(migrations) || !migrations.every((name) => typeof name === 'string')) return null;
    return { made, postgres, platform: kind, migrations };
  } catch {
    return null;
  }
}

function unlessAbsent<T>(fallback: T): (error: unknown) => T {
  return (error) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return fallback;
    throw error;
  };
}

/** The files of the data folder that hold secrets. */
export async function* secretEntries(dataDir: string): AsyncGenerator<TarEntry> {
  for (const name of secretNames) {
    const bytes = await readFile(join(dataDir, name)).catch(unlessAbsent(null));
    if (bytes !== null) yield entryOf(name, bytes);
  }
}

/** The pictures of the data folder as they are now: one that is deleted meanwhile is omitted. */
export async function* pictureEntries(dataDir: string): AsyncGenerator<TarEntry> {
  const root = join(dataDir, 'uploads');
  for (const kind of await readdir(root, { withFileTypes: true }).catch(unlessAbsent([]))) {
    if (!kind.isDirectory()) continue;
    for (const file of await readdir(join(root, kind.name), { withFileTypes: true })) {
      const name = `uploads/${kind.name}/${file.name}`;
      if (file.isFile() && keptName.test(name)) yield* pictureEntry(dataDir, name);
    }
  }
}

async function* pictureEntry(dataDir: string, name: string): AsyncGenerator<TarEntry> {
  const file = await open(join(dataDir, name)).catch(unlessAbsent(null));
  if (file === null) return;
  try {
    const { size } = await file.stat();
    const body = size === 0 ? Readable.from([]) : file.createReadStream({ autoClose: false, end: size - 1 });
    yield { name, isFolder: false, size, body };
  } finally {
    await file.close();
  }
}
