import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { readTar, type TarEntry } from '@store-service/embedded-postgres';
import { StartError } from '../../config/start-error.js';
import { migrationNames } from '../../database/data-source-options.js';
import { clusterName, keptName, type Manifest, manifestName, parseManifest, platform } from './backup-contents.js';
import { unsealed } from './sealed-file.js';

/** A backup in its file. */
export interface BackupSource {
  file: string;
  passphrase: string | undefined;
}

export interface ReadBackup {
  bytes: number;
  manifest: Manifest;
}

/** Handles each entry; an entry that it does not read is only checked. */
type Taker = (entry: TarEntry) => Promise<void>;

/** Reads the whole backup, checks it, and gives its entries to `take`; returns their bytes, and its manifest. */
export async function readBackup(
  { file, passphrase }: BackupSource,
  signal: AbortSignal,
  take: Taker,
): Promise<ReadBackup> {
  let [bytes, manifest]: [number, Manifest | null] = [0, null];
  const consume = async (archive: AsyncIterable<Buffer>): Promise<void> => {
    for await (const entry of readTar(archive)) {
      if (manifest === null) manifest = await acceptedManifest(entry, file);
      else if (!keptName.test(entry.name) && !clusterName.test(entry.name)) throw unknownEntry(file, entry.name);
      else await take(entry);
      bytes += entry.size;
    }
  };
  try {
    const opened = createReadStream(file, { highWaterMark: 256 * 1024 });
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
