import type { Response } from 'express';
import type { UploadKind } from '../upload.entity.js';

/** Stores the bytes of pictures. A stored picture never changes; a name belongs to one picture. */
export abstract class PictureStorage {
  /** Stores a picture whole or not at all. */
  abstract save(kind: UploadKind, filename: string, bytes: Buffer): Promise<void>;

  /** Responds with a picture and these headers; returns false, having sent nothing, if there is no such picture. */
  abstract send(
    kind: UploadKind,
    filename: string,
    response: Response,
    headers: Readonly<Record<string, string>>,
  ): Promise<boolean>;

  /** Whether there is such a picture. */
  abstract has(kind: UploadKind, filename: string): Promise<boolean>;

  /** The bytes of a picture, or null if there is none. */
  abstract read(kind: UploadKind, filename: string): Promise<Buffer | null>;

  /** Whether pictures can be stored and read at the moment. */
  abstract responds(): Promise<boolean>;

  /** Removes a picture, if it is there. */
  abstract remove(kind: UploadKind, filename: string): Promise<void>;
}
