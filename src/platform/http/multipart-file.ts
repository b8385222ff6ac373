import type { Readable } from 'node:stream';
import type { Request, Response } from 'express';
import multer, { type StorageEngine } from 'multer';
import { Invalid } from '../errors/invalid.js';
import { PayloadTooLarge, Refusal } from '../errors/errors.js';

/** The most that a form may hold beside the file: boundaries, headers and superfluous fields. */
export const maxFormExtraBytes = 64 * 1024;

const limits = {
  files: 1,
  fields: 20,
  parts: 21,
  fieldNameSize: 100,
  fieldSize: 4_096,
  fieldNestingDepth: 1,
  fieldArrayIndexLimit: 20,
};

/** A form that carries one file, in the field `file`. */
export interface FileForm<File> {
  /** The kind of file, for the refusals: picture, report. */
  noun: string;
  /** The largest file, where `receive` does not bound it. */
  maxBytes?: number;
  /** Takes the bytes of the file as they come. */
  receive(bytes: Readable): Promise<File>;
  /** Takes the form's other fields, before or after the file, once all is read. */
  takeFields?(fields: Record<string, unknown>): void;
}

export function fileTooLarge(maxBytes: number): PayloadTooLarge {
  return new PayloadTooLarge(`The file is larger than ${maxBytes / 2 ** 20} MiB: send a smaller one`, 'file_too_large');
}

/** The faults that multer and the parser beneath it find, in our words. */
function formFault(error: unknown, { noun, maxBytes = Infinity }: FileForm<unknown>): Error {
  if (error instanceof Refusal || error instanceof Invalid) return error;
  if (!(error instanceof multer.MulterError)) {
    return Invalid.at(
      ['body'],
      'multipart_invalid',
      'The form cannot be read: send it completely, as multipart/form-data',
    );
  }
  if (error.code === 'LIMIT_FILE_SIZE') return fileTooLarge(maxBytes);
  if (error.code === 'LIMIT_UNEXPECTED_FILE' || error.code === 'LIMIT_FILE_COUNT') {
    return Invalid.at(['body', error.field ?? 'file'], 'extra_forbidden', `Send one ${noun}, in the field "file"`);
  }
  return Invalid.at(['body'], 'multipart_invalid', `The form cannot be read: ${error.message.toLowerCase()}`);
}

/**
 * Reads a form, and returns the result of `receive` for its file. Throws the refusals of `receive`, `PayloadTooLarge`, and
 * `Invalid` for a form that is broken, has no file in the field `file`, or has another one. Multer reads a refused form to
 * its end.
 */
export async function receiveFile<File>(request: Request, response: Response, form: FileForm<File>): Promise<File> {
  if (request.destroyed) throw formFault(undefined, form);
  const files: Promise<File>[] = [];
  const storage: StorageEngine = {
    _handleFile(_request, { stream }, done) {
      const file = form.receive(stream);
      files.push(file);
      file.then(() => done(null, {}), done);
    },
    _removeFile: (_request, _file, done) => done(null),
  };
  const fileLimits = form.maxBytes === undefined ? limits : { ...limits, fileSize: form.maxBytes };
  const parse = multer({ storage, limits: fileLimits }).single('file');
  await new Promise<void>((resolve, reject) => {
    parse(request, response, (error: unknown) => (error ? reject(formFault(error, form)) : resolve()));
  });
  const [file] = files;
  form.takeFields?.({ ...(request.body as Record<string, unknown> | undefined) });
  if (file) return file;
  const sentence = `Field required: send the ${form.noun} as a file, in the field "file"`;
  throw Invalid.at(['body', 'file'], 'missing', sentence);
}
