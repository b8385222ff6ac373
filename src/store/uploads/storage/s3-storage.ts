import { pipeline } from 'node:stream/promises';
import { Logger } from '@nestjs/common';
import type { Response } from 'express';
import { FairSemaphore } from '../../../platform/concurrency/fair-semaphore.js';
import { contentTypeOf } from '../pictures/picture-format.js';
import type { UploadKind } from '../upload.entity.js';
import type { DiskStorage } from './disk-storage.js';
import { PictureStorage } from './picture-storage.js';
import { S3Fault, type S3Bucket, type S3Object } from '../../../platform/net/s3-bucket.js';

type Headers = Readonly<Record<string, string>>;

/** Pictures that are being stored, or wait for it, are in memory. */
const writes = { atOnce: 8, waiting: 24, waitMs: 15_000 };
const checkAgainMs = 5_000;
/** Caches of the way to a picture show a deletion within so long. */
const wayToPublic = 'public, max-age=300';

export function keyOf(kind: UploadKind, filename: string): string {
  return `${kind}/${filename}`;
}

/** The headers that a picture is stored with; readers who go past the service get them. */
export function storedHeaders(filename: string): Record<string, string> {
  const contentType = contentTypeOf(filename) ?? 'application/octet-stream';
  return { 'Content-Type': contentType, 'Cache-Control': 'public, max-age=31536000, immutable' };
}

/** The part that the caller asks for, if it is one part, of this very picture. */
function rangeOf({ req }: Response, etag: string | undefined): string | undefined {
  const { range, 'if-range': of } = req.headers;
  if (range === undefined || !/^bytes=(\d{1,15}-\d{0,15}|-\d{1,15})$/.test(range)) return undefined;
  return of === undefined || of === etag ? range : undefined;
}

/** Pictures in a bucket; older ones on disk are served from there until they are moved. */
export class S3Storage extends PictureStorage {
  private readonly logger = new Logger('Storage');
  private readonly semaphore = new FairSemaphore(writes);
  private checked: { at: number; result: Promise<boolean> } | undefined;

  constructor(
    private readonly bucket: S3Bucket,
    private readonly disk: DiskStorage,
    private readonly publicUrl: string | undefined,
  ) {
    super();
  }

  async save(kind: UploadKind, filename: string, bytes: Buffer): Promise<void> {
    const refusal = () => new S3Fault('too many pictures wait to be stored');
    await this.semaphore.run(() => this.bucket.put(keyOf(kind, filename), bytes, storedHeaders(filename)), { refusal });
  }

  async send(kind: UploadKind, filename: string, response: Response, headers: Headers): Promise<boolean> {
    if (await this.disk.send(kind, filename, response, headers)) return true;
    if (this.publicUrl !== undefined) {
      response.set('Cache-Control', wayToPublic).redirect(302, `${this.publicUrl}/${keyOf(kind, filename)}`);
      return true;
    }
    response.set(headers);
    const { req } = response;
    const method = req.method === 'HEAD' || req.fresh ? 'HEAD' : 'GET';
    const range = rangeOf(response, headers['ETag']);
    const object = await this.bucket
      .get(keyOf(kind, filename), range === undefined ? { method } : { method, range })
      .catch((error: unknown) => {
        this.withdraw(response, headers);
        throw error;
      });
    if (object !== null && object !== 'beyond') return this.pass(object, response);
    this.withdraw(response, headers);
    if (object === 'beyond') throw Object.assign(new Error('Range Not Satisfiable'), { status: 416 });
    return false;
  }

  async has(kind: UploadKind, filename: string): Promise<boolean> {
    if (await this.disk.has(kind, filename)) return true;
    const object = await this.bucket.get(keyOf(kind, filename), { method: 'HEAD' });
    if (object === null || object === 'beyond') return false;
    object.drop();
    return true;
  }

  async read(kind: UploadKind, filename: string): Promise<Buffer | null> {
    const onDisk = await this.disk.read(kind, filename);
    if (onDisk) return onDisk;
    const object = await this.bucket.get(keyOf(kind, filename));
    if (object === null || object === 'beyond') return null;
    const pieces: Uint8Array[] = [];
    for await (const piece of object.pieces) pieces.push(piece);
    return Buffer.concat(pieces);
  }

  async remove(kind: UploadKind, filename: string): Promise<void> {
    await this.disk.remove(kind, filename);
    await this.bucket.remove(keyOf(kind, filename));
  }

  responds(): Promise<boolean> {
    const now = Date.now();
    if (!this.checked || now - this.checked.at > checkAgainMs) this.checked = { at: now, result: this.check() };
    return this.checked.result;
  }

  private async check(): Promise<boolean> {
    try {
      await this.bucket.check();
      return true;
    } catch (error) {
      this.logger.warn(`The bucket of STORAGE_URL cannot be used: ${String(error)}`);
      return false;
    }
  }

  private withdraw(response: Response, headers: Headers): void {
    for (const name of Object.keys(headers)) response.removeHeader(name);
  }

  private async pass(object: S3Object, response: Response): Promise<true> {
    const { req } = response;
    if (req.fresh) {
      object.drop();
      response.status(304).end();
      return true;
    }
    for (const name of ['Content-Length', 'Content-Range']) {
      const value = object.headers.get(name);
      if (value !== null) response.set(name, value);
    }
    response.status(object.isPart ? 206 : 200).set('Accept-Ranges', 'bytes');
    if (req.method === 'HEAD') {
      object.drop();
      response.end();
      return true;
    }
    // A reader that went away is not our failure; one whose picture breaks off notices by its length.
    await pipeline(object.pieces, response).catch((error: unknown) => {
      if (error instanceof S3Fault) this.logger.error(`A picture could not be sent completely: ${error.message}`);
    });
    return true;
  }
}
