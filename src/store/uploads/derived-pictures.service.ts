import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { type Derivative, derivativeName, derivativeNames } from './pictures/derivative.js';
import { PictureRefused } from './pictures/picture-refused.js';
import { Pictures } from './pictures/pictures.js';
import { PictureStorage } from './storage/picture-storage.js';
import type { UploadKind } from './upload.entity.js';
import { UploadsRepository } from './uploads.repository.js';

/** Makes stored pictures in other widths and formats, once, and stores them beside the originals. */
@Injectable()
export class DerivedPicturesService {
  /** Those that are being made, by their names: whoever asks for one meanwhile waits for it. */
  private readonly underWay = new Map<string, Promise<string | null>>();

  constructor(
    private readonly storage: PictureStorage,
    private readonly pictures: Pictures,
    private readonly repository: UploadsRepository,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * The name of the file that shows a picture so, made now where nobody asked for it before; that of the original where it cannot
   * be decoded; null if there is no such picture. `Unavailable` where too many wait. Throws what the storage does.
   */
  async nameOf(kind: UploadKind, filename: string, derivative: Derivative): Promise<string | null> {
    const name = derivativeName(filename, derivative);
    if (await this.storage.has(kind, name)) return name;
    const known = this.underWay.get(`${kind}/${name}`);
    if (known) return known;
    const making = this.make(kind, filename, derivative).finally(() => this.underWay.delete(`${kind}/${name}`));
    this.underWay.set(`${kind}/${name}`, making);
    return making;
  }

  /** Removes the derivatives of a picture that is removed or replaced. */
  async removeOf(kind: UploadKind, filename: string): Promise<void> {
    for (const name of derivativeNames(filename)) await this.storage.remove(kind, name);
  }

  /** Of several nodes one makes it: the others wait, and find it stored. */
  private make(kind: UploadKind, filename: string, derivative: Derivative): Promise<string | null> {
    const name = derivativeName(filename, derivative);
    return this.pictures.admittedToDerive(() =>
      this.unitOfWork.run(async () => {
        await this.repository.lockDerivative(`${kind}/${name}`);
        if (await this.storage.has(kind, name)) return name;
        const original = await this.storage.read(kind, filename);
        if (!original) return null;
        try {
          await this.storage.save(kind, name, await this.pictures.derive(original, derivative));
        } catch (error) {
          if (error instanceof PictureRefused) return filename;
          throw error;
        }
        if (await this.storage.has(kind, filename)) return name;
        // Somebody removed the picture meanwhile.
        await this.storage.remove(kind, name);
        return null;
      }),
    );
  }
}
