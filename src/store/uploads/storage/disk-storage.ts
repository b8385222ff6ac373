import { randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { Settings } from '../../../config/settings.js';
import { PictureStorage } from './picture-storage.js';
import type { UploadKind } from '../upload.entity.js';

async function writeThrough(path: string, bytes: Buffer): Promise<void> {
  const file = await open(path, 'wx');
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** The result, or null where there is no such file. */
async function unlessAbsent<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (['ENOENT', 'ENOTDIR', 'EISDIR'].includes(code)) return null;
    throw error;
  }
}

/** Pictures as files, one folder a kind, under the data folder. */
@Injectable()
export class DiskStorage extends PictureStorage {
  private readonly root: string;

  constructor(settings: Settings) {
    super();
    this.root = join(settings.dataDir, 'uploads');
  }

  async save(kind: UploadKind, filename: string, bytes: Buffer): Promise<void> {
    const folder = join(this.root, kind);
    await mkdir(folder, { recursive: true });
    const draft = join(folder, `.${randomUUID()}.draft`);
    try {
      await writeThrough(draft, bytes);
      await rename(draft, join(folder, filename));
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
  }

  send(
    kind: UploadKind,
    filename: string,
    response: Response,
    headers: Readonly<Record<string, string>>,
  ): Promise<boolean> {
    const root = join(this.root, kind);
    return new Promise((resolve, reject) => {
      response.sendFile(filename, { root, headers, cacheControl: false }, (error?: NodeJS.ErrnoException) => {
        // A reader that went away is not our failure.
        if (!error || response.headersSent) return resolve(true);
        for (const name of Object.keys(headers)) response.removeHeader(name);
        if (error.code === 'ENOENT' || error.code === 'EISDIR' || error.code === 'ENOTDIR') resolve(false);
        else reject(error);
      });
    });
  }

  async has(kind: UploadKind, filename: string): Promise<boolean> {
    const found = await unlessAbsent(stat(join(this.root, kind, filename)));
    return found?.isFile() ?? false;
  }

  read(kind: UploadKind, filename: string): Promise<Buffer | null> {
    return unlessAbsent(readFile(join(this.root, kind, filename)));
  }

  /** A failing disk shows when it is asked for something. */
  responds(): Promise<boolean> {
    return Promise.resolve(true);
  }

  async remove(kind: UploadKind, filename: string): Promise<void> {
    await rm(join(this.root, kind, filename), { force: true });
  }
}
