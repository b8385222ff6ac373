import { randomUUID } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import type { Response } from 'express';
import type { CallerIdentity } from '../../platform/auth/caller.js';
import { isDatabaseAway } from '../../platform/errors/database-errors.js';
import { Invalid } from '../../platform/errors/invalid.js';
import { NotFound, PayloadTooLarge, Unauthenticated, UnsupportedMediaType } from '../../platform/errors/errors.js';
import { Settings } from '../../config/settings.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { UsersService } from '../users/users.service.js';
import { DerivedPicturesService } from './derived-pictures.service.js';
import type { Derivative } from './pictures/derivative.js';
import { contentTypeOf, pictureFormats } from './pictures/picture-format.js';
import { PictureRefused } from './pictures/picture-refused.js';
import type { Picture } from './pictures/picture.js';
import { Pictures } from './pictures/pictures.js';
import { PictureStorage } from './storage/picture-storage.js';
import { isStorageFault, storageUnavailable } from './storage/storage-fault.js';
import { type UploadKind, uploadKinds } from './upload.entity.js';
import type { UploadFile } from './upload-file.js';
import { toUploadedPicture } from './uploads.mapper.js';
import { type NewUpload, UploadsRepository } from './uploads.repository.js';
import type { UploadedPicture } from './uploads.dto.js';

type Stored = Pick<NewUpload, 'kind' | 'filename'>;

function isUploadKind(word: string): word is UploadKind {
  return (uploadKinds as readonly string[]).includes(word);
}

const refusals: Record<PictureRefused['reason'], (sentence: string) => Error> = {
  type: (sentence) => new UnsupportedMediaType(sentence, 'unsupported_picture'),
  too_large: (sentence) => new PayloadTooLarge(sentence, 'picture_too_large'),
  // Unspecified: the response to a broken picture; its type is right and its content is not, so it is a 422.
  broken: (sentence) => Invalid.at(['body', 'file'], 'value_error', sentence),
};

async function bytesOf(file: UploadFile): Promise<Buffer> {
  try {
    return await file.bytes();
  } catch (error) {
    throw storageUnavailable('A file that arrived cannot be read again', error);
  }
}

/** Stores the pictures that users send, and serves them. */
@Injectable()
export class UploadsService {
  private readonly logger = new Logger('Uploads');

  constructor(
    private readonly repository: UploadsRepository,
    private readonly storage: PictureStorage,
    private readonly pictures: Pictures,
    private readonly unitOfWork: UnitOfWork,
    private readonly settings: Settings,
    private readonly users: UsersService,
    private readonly derived: DerivedPicturesService,
  ) {}

  /**
   * Stores a picture, written anew. `UnsupportedMediaType` for anything but a picture of our formats, `Invalid` for a
   * broken one, `PayloadTooLarge` beyond the pixels of its format, `TooManyRequests` and `Unavailable` when too many
   * wait, `Unavailable` when the storage fails.
   */
  async upload(kind: UploadKind, file: UploadFile, caller: CallerIdentity): Promise<UploadedPicture> {
    return this.keep(kind, await this.rewritten(file, caller.id), caller.id);
  }

  /** Stores a picture as the caller's avatar, in place of their previous one; throws as `upload` does. */
  async uploadAvatar(file: UploadFile, caller: CallerIdentity): Promise<UploadedPicture> {
    const picture = await this.rewritten(file, caller.id);
    return this.keep('avatar', picture, caller.id, async ({ url, filename }) => {
      await this.users.setAvatar(caller.id, url);
      this.removeOnceCommitted(await this.repository.removeOtherAvatars(caller.id, filename));
    });
  }

  /**
   * Stores a rewritten picture in storage and database, after whatever `before` writes: all of it or nothing.
   * `QuotaExceeded` where the owner then has too many or too large ones.
   */
  async keep(
    kind: UploadKind,
    picture: Picture,
    ownerId: string,
    before: (uploaded: UploadedPicture) => Promise<void> = async () => {},
  ): Promise<UploadedPicture> {
    const filename = `${randomUUID()}.${pictureFormats[picture.format].extension}`;
    const uploaded = toUploadedPicture(picture, filename, this.urlOf(kind, filename));
    await this.store(kind, filename, picture.bytes);
    try {
      const insert = async (): Promise<void> => {
        await before(uploaded);
        const inserted = await this.repository.insert({ kind, filename, size: uploaded.size }, ownerId);
        if (!inserted) throw new Unauthenticated();
      };
      if (kind === 'product') await this.unitOfWork.run(insert);
      else await this.repository.withinQuotas(ownerId, insert);
    } catch (error) {
      // A database that went away may have committed: a superfluous file is better than a missing one.
      if (!isDatabaseAway(error)) await this.removeFile({ kind, filename });
      throw error;
    }
    return uploaded;
  }

  /** Stores a picture that the service made; another one of the same name replaces it. */
  async saveGenerated(kind: UploadKind, filename: string, bytes: Buffer): Promise<string> {
    if (!contentTypeOf(filename)) throw new Error(`${filename} is not the name of a picture, such as lamp-red.webp`);
    // Without it the demo's pictures are missing, which is no reason not to start.
    if (await this.storage.responds()) {
      await this.storage.save(kind, filename, bytes);
      await this.derived.removeOf(kind, filename);
    } else this.logger.error(`The file of ${kind}/${filename} is not stored: the storage is not reachable`);
    await this.repository.saveGenerated({ kind, filename, size: bytes.length });
    return this.urlOf(kind, filename);
  }

  /** Whether pictures can be stored and read at the moment. */
  storageResponds(): Promise<boolean> {
    return this.storage.responds();
  }

  /**
   * Deletes a picture of the caller's; `NotFound` where they have none of this name. Pages that showed it then show
   * none.
   */
  remove(kind: string, filename: string, caller: CallerIdentity): Promise<void> {
    return this.unitOfWork.run(async () => {
      if (!isUploadKind(kind)) throw new NotFound('Picture not found');
      const removed = await this.repository.remove(caller.id, kind, filename);
      if (!removed) throw new NotFound('Picture not found');
      await this.users.clearAvatar(caller.id, this.urlOf(kind, filename));
      this.removeOnceCommitted([{ kind, filename }]);
    });
  }

  /**
   * Removes the avatars and general pictures of a user; within a unit of work, it removes the files after the commit.
   */
  removeAllOf(userId: string): Promise<void> {
    return this.unitOfWork.run(async () => this.removeOnceCommitted(await this.repository.removePersonal(userId)));
  }

  /** Removes all pictures. */
  async removeAll(): Promise<void> {
    for (const upload of await this.repository.removeEvery()) await this.removeFile(upload);
  }

  /** Removes the files of pictures that are deleted. */
  async removeFiles(uploads: Stored[]): Promise<void> {
    await Promise.all(uploads.map((upload) => this.removeFile(upload)));
  }

  /**
   * Responds with a stored picture, or with a derivative of it. `NotFound` if there is none, `Unavailable` where the storage
   * fails or too many derivatives wait.
   */
  async serve(kind: string, original: string, derivative: Derivative | null, response: Response): Promise<void> {
    const isKnown = contentTypeOf(original) !== null && isUploadKind(kind);
    const filename = isKnown && derivative ? await this.nameOf(kind, original, derivative) : original;
    const contentType = filename === null ? null : contentTypeOf(filename);
    if (filename !== null && contentType && isUploadKind(kind)) {
      const headers = {
        'Content-Type': contentType,
        'Cache-Control': 'public, max-age=31536000, immutable',
        'Content-Security-Policy': "default-src 'none'",
        'X-Content-Type-Options': 'nosniff',
        ETag: `"${filename}"`,
      };
      if (await this.sendOrRestore(kind, filename, response, headers)) return;
    }
    throw new NotFound('Picture not found');
  }

  /** Gives a refusal the headers of all answers back, some of which a picture has in other words. */
  private async sendOrRestore(...picture: Parameters<PictureStorage['send']>): Promise<boolean> {
    const [, , response, headers] = picture;
    const usual = Object.keys(headers).map((name) => [name, response.getHeader(name)] as const);
    let sent = false;
    try {
      sent = await this.send(...picture);
    } finally {
      if (!sent && !response.headersSent) {
        for (const [name, value] of usual) if (value !== undefined) response.setHeader(name, value);
      }
    }
    return sent;
  }

  private async send(...picture: Parameters<PictureStorage['send']>): Promise<boolean> {
    try {
      return await this.storage.send(...picture);
    } catch (error) {
      if (!isStorageFault(error)) throw error;
      throw storageUnavailable(`The file of ${picture[0]}/${picture[1]} cannot be read`, error, 'read');
    }
  }

  private async nameOf(kind: UploadKind, original: string, derivative: Derivative): Promise<string | null> {
    try {
      return await this.derived.nameOf(kind, original, derivative);
    } catch (error) {
      if (!isStorageFault(error)) throw error;
      throw storageUnavailable(`A derivative of ${kind}/${original} cannot be stored`, error, 'read');
    }
  }

  private async rewritten(file: UploadFile, ownerId: string): Promise<Picture> {
    try {
      return await this.pictures.rewrite(() => bytesOf(file), ownerId);
    } catch (error) {
      throw error instanceof PictureRefused ? refusals[error.reason](error.message) : error;
    }
  }

  private async store(kind: UploadKind, filename: string, bytes: Buffer): Promise<void> {
    try {
      await this.storage.save(kind, filename, bytes);
    } catch (error) {
      throw storageUnavailable(`The file of ${kind}/${filename} cannot be stored`, error);
    }
  }

  private urlOf(kind: UploadKind, filename: string): string {
    return `${this.settings.publicUrl ?? ''}/uploads/${kind}/${filename}`;
  }

  private removeOnceCommitted(uploads: Stored[]): void {
    this.unitOfWork.afterCommit(() => this.removeFiles(uploads));
  }

  /** Logs a file that it cannot remove, and throws nothing: the deletion is committed. */
  private async removeFile({ kind, filename }: Stored): Promise<void> {
    try {
      await this.storage.remove(kind, filename);
      await this.derived.removeOf(kind, filename);
    } catch (error) {
      this.logger.error(`The file of ${kind}/${filename} cannot be removed: ${String(error)}`);
    }
  }
}
