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
import multer from 'multer';
import type { Observable } from 'rxjs';
import { Invalid } from '../../common/errors/invalid.js';
import { PayloadTooLarge, UnsupportedMediaType } from '../../common/errors/kinds.js';
import { PictureUpload } from './uploads.shapes.js';

const maxFileBytes = 5 * 1024 * 1024;
/** What a form may hold beside the file: boundaries, headers and fields that nobody asked for. */
const maxFormExtraBytes = 64 * 1024;

const receive = multer({
  storage: multer.memoryStorage(),
  limits: {
    fileSize: maxFileBytes,
    files: 1,
    fields: 20,
    parts: 21,
    fieldNameSize: 100,
    fieldSize: 4_096,
    fieldNestingDepth: 1,
    fieldArrayIndexLimit: 20,
  },
}).single('file');

const tooLarge = (): PayloadTooLarge =>
  new PayloadTooLarge('The file is larger than 5 MiB: send a smaller one', 'file_too_large');

/** What multer and the parser beneath it found wrong, in our words. */
function formFault(error: unknown): Error {
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

/** Refuses a form that goes on and on without having said how long it is; multer would read it to its end. */
function refuseBeyond(
  maxBytes: number,
  request: Request,
  response: Response,
  refuse: (reason: PayloadTooLarge) => void,
): void {
  let bytes = 0;
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= maxBytes || response.headersSent) return;
    response.set('Connection', 'close');
    refuse(tooLarge());
  });
}

async function readForm(request: Request, response: Response): Promise<void> {
  demandForm(request);
  await new Promise<void>((resolve, reject) => {
    refuseBeyond(maxFileBytes + maxFormExtraBytes, request, response, reject);
    receive(request, response, (error: unknown) => (error ? reject(formFault(error)) : resolve()));
  });
  if (!request.file) {
    throw Invalid.at(['body', 'file'], 'missing', 'Field required: send the picture as a file, in the field "file"');
  }
}

/** Reads the form of an upload into memory, once the caller is known. */
@Injectable()
class PictureForm implements NestInterceptor {
  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const http = context.switchToHttp();
    await readForm(http.getRequest<Request>(), http.getResponse<Response>());
    return next.handle();
  }
}

/** The route takes one picture as a form; its handler gets the bytes by `@PictureFile()`. */
export const TakesPicture = (): MethodDecorator =>
  applyDecorators(
    UseInterceptors(PictureForm),
    ApiConsumes('multipart/form-data'),
    ApiBody({ type: PictureUpload, required: true }),
  );

/** The bytes of the file that a form carried. */
export const PictureFile = createParamDecorator((_: unknown, context: ExecutionContext): Buffer => {
  const { file } = context.switchToHttp().getRequest<Request>();
  if (!file) throw new Error('A handler that takes @PictureFile() must carry @TakesPicture()');
  return file.buffer;
});
