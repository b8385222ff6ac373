import type { Readable } from 'node:stream';
import {
  applyDecorators,
  type CallHandler,
  createParamDecorator,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  UseInterceptors,
} from '@nestjs/common';
import { ApiBody, ApiConsumes } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { finalize, type Observable } from 'rxjs';
import type { CallerIdentity } from '../../platform/auth/caller.js';
import { FairSemaphore } from '../../platform/concurrency/fair-semaphore.js';
import { RequestTimeout, TooManyRequests, UnsupportedMediaType } from '../../platform/errors/errors.js';
import { fileTooLarge, maxFormExtraBytes, receiveFile } from '../../platform/http/multipart-file.js';
import { closeAfterResponse } from '../../platform/http/close-after-response.js';
import { isStorageFault, storageUnavailable } from './storage/storage-fault.js';
import { UploadFile } from './upload-file.js';
import { PictureUpload } from './uploads.dto.js';

const maxFileBytes = 5 * 1024 * 1024;

// Unspecified: how many forms arrive at once; those of one user wait for each other unread.
const bounds = { atOnce: 128, atOncePerKey: 4, waiting: 512, waitingPerKey: 32, waitMs: 30_000 };
const retryAfterSeconds = 5;
/** A slow mobile network sends five megabytes in a minute. */
const maxSeconds = 60;

/** The file of a form; it goes with the request, however that ends. */
class ArrivingFile {
  private stream: Readable | undefined;
  private file: UploadFile | undefined;
  private closed = false;

  async receive(stream: Readable): Promise<UploadFile> {
    this.stream = stream;
    try {
      this.file = await UploadFile.receive(stream);
    } catch (error) {
      throw isStorageFault(error) ? storageUnavailable('A file that arrives cannot be stored on disk', error) : error;
    }
    if (this.closed) this.close();
    return this.file;
  }

  /** Closes the file, even while it is still arriving. */
  close(): void {
    this.closed = true;
    this.stream?.destroy();
    // Nobody waits for it, and nobody could do anything about a file that does not close.
    this.file?.close().catch(() => {});
  }
}

const tooSlow = (): RequestTimeout =>
  new RequestTimeout(`The file did not arrive within ${maxSeconds} seconds: send it again`, 'file_too_slow');

function assertForm(request: Request): void {
  const length = Number(request.headers['content-length'] ?? 0);
  const hasBody = length > 0 || request.headers['transfer-encoding'] !== undefined;
  if (hasBody && !request.is('multipart/form-data')) {
    throw new UnsupportedMediaType('Send the picture as multipart/form-data, in the field "file"');
  }
  if (length > maxFileBytes + maxFormExtraBytes) throw fileTooLarge(maxFileBytes);
}

/**
 * Refuses a form that outgrows its bound without a Content-Length, which multer would read to its end, and one that
 * does not arrive in time. Returns a function that stops watching.
 */
function watch(request: Request, refuse: (reason: Error) => void): () => void {
  let bytes = 0;
  const count = (chunk: Buffer): void => {
    bytes += chunk.length;
    if (bytes > maxFileBytes + maxFormExtraBytes) refuse(fileTooLarge(maxFileBytes));
  };
  const timer = setTimeout(() => refuse(tooSlow()), maxSeconds * 1_000);
  request.on('data', count);
  return () => {
    clearTimeout(timer);
    request.off('data', count);
  };
}

async function readForm(request: Request, response: Response, arriving: ArrivingFile): Promise<UploadFile> {
  let unwatch = (): void => {};
  return new Promise<UploadFile>((resolve, reject) => {
    unwatch = watch(request, reject);
    const form = { noun: 'picture', maxBytes: maxFileBytes, receive: (bytes: Readable) => arriving.receive(bytes) };
    receiveFile(request, response, form).then(resolve, reject);
  }).finally(unwatch);
}

const files = new WeakMap<Request, UploadFile>();

/** Reads the form of an upload once the caller is known, a few of each caller's at once. */
@Injectable()
class PictureForm implements NestInterceptor {
  private readonly semaphore = new FairSemaphore(bounds);

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const request = context.switchToHttp().getRequest<Request & { user: CallerIdentity }>();
    const response = context.switchToHttp().getResponse<Response>();
    assertForm(request);
    const arriving = new ArrivingFile();
    try {
      const read = (): Promise<UploadFile> => readForm(request, response, arriving);
      files.set(request, await this.semaphore.run(read, { key: request.user.id, refusal: busy }));
    } catch (error) {
      arriving.close();
      if (!request.complete) closeAfterResponse(request, response);
      throw error;
    }
    return next.handle().pipe(finalize(() => arriving.close()));
  }
}

function busy(): TooManyRequests {
  return new TooManyRequests(
    'You are sending too many files at once: wait for their responses',
    retryAfterSeconds,
    'busy',
  );
}

/** The route takes one picture as a form; its handler gets the bytes by `@PictureFile()`. */
export const TakesPicture = (): MethodDecorator =>
  applyDecorators(
    UseInterceptors(PictureForm),
    ApiConsumes('multipart/form-data'),
    ApiBody({ type: PictureUpload, required: true }),
  );

/** The file in a form; it is gone once the request is answered. */
export const PictureFile = createParamDecorator((_: unknown, context: ExecutionContext): UploadFile => {
  const file = files.get(context.switchToHttp().getRequest<Request>());
  if (!file) throw new Error('A handler that takes @PictureFile() must carry @TakesPicture()');
  return file;
});
