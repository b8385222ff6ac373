import type { Readable } from 'node:stream';
import {
  applyDecorators,
  type CallHandler,
  createParamDecorator,
  type ExecutionContext,
  Injectable,
  Logger,
  type NestInterceptor,
  UseInterceptors,
} from '@nestjs/common';
import { ApiBody, ApiConsumes } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import multer, { type StorageEngine } from 'multer';
import { finalize, type Observable } from 'rxjs';
import type { CallerIdentity } from '../../common/auth/caller.js';
import { FairSemaphore, NotAdmitted } from '../../common/concurrency/fair-semaphore.js';
import { Invalid } from '../../common/errors/invalid.js';

import { stopReading } from '../../common/http/stop-reading.js';
import {
  PayloadTooLarge,
  RequestTimeout,
  TooManyRequests,
  Unavailable,
  UnsupportedMediaType,
} from '../../common/errors/kinds.js';
import { UploadFile } from './upload-file.js';
import { PictureUpload } from './uploads.shapes.js';

const maxFileBytes = 5 * 1024 * 1024;
/** What a form may hold beside the file: boundaries, headers and fields that nobody asked for. */
const maxFormExtraBytes = 64 * 1024;

// Unspecified: how many forms arrive at once; those of one user wait for each other, and nothing is read of them so long.
const bounds = { atOnce: 128, atOncePerKey: 4, waiting: 512, waitingPerKey: 32, waitMs: 30_000 };
const retryAfterSeconds = 5;
/** Five megabytes in a minute are what a slow mobile network sends. */
const maxSeconds = 60;

const limits = {
  fileSize: maxFileBytes,
  files: 1,
  fields: 20,
  parts: 21,
  fieldNameSize: 100,
  fieldSize: 4_096,
  fieldNestingDepth: 1,
  fieldArrayIndexLimit: 20,
};

/** Where multer puts the one file of a form. */
class OneFile implements StorageEngine {
  file: UploadFile | undefined;
  private stream: Readable | undefined;
  private closed = false;

  _handleFile(_request: Request, { stream }: Express.Multer.File, done: (error?: unknown) => void): void {
    this.stream = stream;
    UploadFile.receive(stream).then((file) => {
      this.file = file;
      if (this.closed) this.close();
      done();
    }, done);
  }

  _removeFile(_request: Request, _file: Express.Multer.File, done: (error: Error | null) => void): void {
    done(null);
  }

  /** Gives the file up, also one that is still coming. */
  close(): void {
    this.closed = true;
    this.stream?.destroy();
    // Nobody waits for it, and nothing could be done about a file that does not close.
    this.file?.close().catch(() => {});
  }
}

const tooLarge = (): PayloadTooLarge =>
  new PayloadTooLarge('The file is larger than 5 MiB: send a smaller one', 'file_too_large');

const tooSlow = (): RequestTimeout =>
  new RequestTimeout(`The file did not arrive within ${maxSeconds} seconds: send it again`, 'file_too_slow');

const logger = new Logger('Uploads');

/** Whether the system refused a file (ENOSPC, EMFILE); a caller that hung up has a code too, and is no fault of the disk. */
function isDiskFault(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { errno, code = '' } = error as NodeJS.ErrnoException;
  return errno !== undefined && !['ECONNRESET', 'EPIPE', 'ETIMEDOUT'].includes(code);
}

/** What multer, the parser beneath it and the disk found wrong, in our words. */
function formFault(error: unknown): Error {
  if (isDiskFault(error)) {
    logger.error(`A file that arrives cannot be kept on disk: ${String(error)}`);
    return new Unavailable('The picture cannot be stored at the moment: try again later', 'storage_unavailable');
  }
  if (!(error instanceof multer.MulterError)) {
    return Invalid.at(['body'], 'multipart_invalid', 'The form cannot be read: send it whole, as multipart/form-data');
  }
  if (error.code === 'LIMIT_FILE_SIZE') return tooLarge();
  if (error.code === 'LIMIT_UNEXPECTED_FILE' || error.code === 'LIMIT_FILE_COUNT') {
    return Invalid.at(['body', error.field ?? 'file'], 'extra_forbidden', 'Send one file, in the field "file"');
  }
  return Invalid.at(['body'], 'multipart_invalid', `The form cannot be read: ${error.message.toLowerCase()}`);
}

function demandForm(request: Request): void {
  const length = Number(request.headers['content-length'] ?? 0);
  const hasBody = length > 0 || request.headers['transfer-encoding'] !== undefined;
  if (hasBody && !request.is('multipart/form-data')) {
    throw new UnsupportedMediaType('Send the picture as multipart/form-data, in the field "file"');
  }
  if (length > maxFileBytes + maxFormExtraBytes) throw tooLarge();
}

/**
 * Refuses a form that goes on and on without having said how long it is, which multer would read to its end, and one
 * that does not arrive; returns how to stop watching.
 */
function watch(request: Request, refuse: (reason: Error) => void): () => void {
  let bytes = 0;
  const count = (chunk: Buffer): void => {
    bytes += chunk.length;
    if (bytes > maxFileBytes + maxFormExtraBytes) refuse(tooLarge());
  };
  const timer = setTimeout(() => refuse(tooSlow()), maxSeconds * 1_000);
  request.on('data', count);
  return () => {
    clearTimeout(timer);
    request.off('data', count);
  };
}

async function readForm(request: Request, response: Response, storage: OneFile): Promise<UploadFile> {
  let unwatch = (): void => {};
  await new Promise<void>((resolve, reject) => {
    if (request.destroyed) return reject(formFault(undefined));
    unwatch = watch(request, reject);
    const receive = multer({ storage, limits }).single('file');
    receive(request, response, (error: unknown) => (error ? reject(formFault(error)) : resolve()));
  }).finally(unwatch);
  if (storage.file) return storage.file;
  throw Invalid.at(['body', 'file'], 'missing', 'Field required: send the picture as a file, in the field "file"');
}

const files = new WeakMap<Request, UploadFile>();

/** Reads the form of an upload, once the caller is known and a few of theirs are not under way already. */
@Injectable()
class PictureForm implements NestInterceptor {
  private readonly semaphore = new FairSemaphore(bounds);

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const request = context.switchToHttp().getRequest<Request & { user: CallerIdentity }>();
    const response = context.switchToHttp().getResponse<Response>();
    demandForm(request);
    const storage = new OneFile();
    try {
      const read = (): Promise<UploadFile> => readForm(request, response, storage);
      files.set(request, await this.semaphore.run(read, { key: request.user.id }));
    } catch (error) {
      storage.close();
      if (!request.complete) stopReading(request, response);
      throw error instanceof NotAdmitted ? busy() : error;
    }
    return next.handle().pipe(finalize(() => storage.close()));
  }
}

function busy(): TooManyRequests {
  return new TooManyRequests(
    'Too many files are being sent at once: wait for their answers',
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

/** The file that a form carried; it is gone once the request is answered. */
export const PictureFile = createParamDecorator((_: unknown, context: ExecutionContext): UploadFile => {
  const file = files.get(context.switchToHttp().getRequest<Request>());
  if (!file) throw new Error('A handler that takes @PictureFile() must carry @TakesPicture()');
  return file;
});
