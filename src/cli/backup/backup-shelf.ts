import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { link, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { syncFolder } from '@store-service/embedded-postgres';
import type { BackupPlace } from '../../config/backup-settings.js';
import { StartError } from '../../config/start-error.js';
import { S3Bucket, S3Fault } from '../../platform/net/s3-bucket.js';
import { sentenceOfDisk } from './command.js';

/** Where the backups lie that the service makes by itself. */
export interface BackupShelf {
  /** The folder in which a backup grows: that of the backups, where they lie in one. */
  prepare(dataDir: string): Promise<string>;
  /** Puts a complete file there under its name, never over another one. */
  put(file: string, name: string): Promise<void>;
  names(): Promise<string[]>;
  remove(name: string): Promise<void>;
  /** A backup as a file of this machine: where it lies in a bucket, it is copied into `folder`. */
  fetch(name: string, folder: string): Promise<string>;
  /** The place of a backup, for people. */
  placeOf(name: string): string;
}

const pieceBytes = 256 * 1024;
/** A part of a backup is larger than a picture. */
const patience = { answerMs: 30_000, writeMs: 300_000, pieceMs: 60_000 };

export function shelfAt(place: BackupPlace): BackupShelf {
  return 'folder' in place ? new FolderShelf(place.folder) : new BucketShelf(new S3Bucket(place.bucket, patience));
}

class FolderShelf implements BackupShelf {
  constructor(private readonly folder: string) {}

  async prepare(): Promise<string> {
    return this.said(async () => {
      await mkdir(this.folder, { recursive: true, mode: 0o700 });
      return this.folder;
    });
  }

  async put(file: string, name: string): Promise<void> {
    await this.said(async () => {
      await link(file, join(this.folder, name));
      await syncFolder(this.folder);
    });
  }

  names(): Promise<string[]> {
    return this.said(() => (existsSync(this.folder) ? readdir(this.folder) : Promise.resolve([])));
  }

  async remove(name: string): Promise<void> {
    await rm(join(this.folder, name), { force: true });
  }

  fetch(name: string): Promise<string> {
    return Promise.resolve(join(this.folder, name));
  }

  placeOf(name: string): string {
    return join(this.folder, name);
  }

  private async said<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw sentenceOfDisk(error, this.folder);
    }
  }
}

class BucketShelf implements BackupShelf {
  constructor(private readonly bucket: S3Bucket) {}

  prepare(dataDir: string): Promise<string> {
    return Promise.resolve(dataDir);
  }

  put(file: string, name: string): Promise<void> {
    const pieces = createReadStream(file, { highWaterMark: pieceBytes }) as AsyncIterable<Buffer>;
    return said(this.bucket.putPieces(name, pieces));
  }

  names(): Promise<string[]> {
    return said(this.bucket.keys());
  }

  remove(name: string): Promise<void> {
    return said(this.bucket.remove(name));
  }

  async fetch(name: string, folder: string): Promise<string> {
    const object = await said(this.bucket.get(name));
    if (object === null || object === 'beyond') throw new StartError(`${this.placeOf(name)} does not exist`);
    const file = join(folder, name);
    await said(pipeline(object.pieces, createWriteStream(file, { mode: 0o600, flags: 'wx' })));
    return file;
  }

  placeOf(name: string): string {
    const { bucket, prefix } = this.bucket.place;
    return `s3://${bucket}/${prefix}${name}`;
  }
}

async function said<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof S3Fault)) throw error;
    throw new StartError(`The bucket of BACKUP_TO cannot be used: ${error.message}`);
  }
}
