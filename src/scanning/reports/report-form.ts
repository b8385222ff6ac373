import { Readable } from 'node:stream';
import type { Request, Response } from 'express';
import multer from 'multer';
import { Invalid } from '../../common/errors/invalid.js';
import { Refusal } from '../../common/errors/kinds.js';
import { bytesOf } from '../../common/http/request-bytes.js';
import type { ReportSink } from './report-sink.js';

/** What a form may hold beside the file: boundaries, headers and fields that nobody asked for. */
const maxFormExtraBytes = 64 * 1024;

const limits = {
  files: 1,
  fields: 20,
  parts: 21,
  fieldNameSize: 100,
  fieldSize: 4_096,
  fieldNestingDepth: 1,
  fieldArrayIndexLimit: 20,
};

/** Hands the file of a form on to the sink, which bounds it. */
function into(sink: ReportSink): multer.StorageEngine {
  return {
    _handleFile: (_request, file, done) => {
      sink.fill(file.stream as AsyncIterable<Buffer>).then(
        () => done(null, {}),
        (error: unknown) => done(error),
      );
    },
    _removeFile: (_request, _file, done) => done(null),
  };
}

/** What multer and the parser beneath it found wrong, in our words. */
function formFault(error: unknown): Error {
  if (error instanceof Refusal || error instanceof Invalid) return error;
  if (!(error instanceof multer.MulterError)) {
    return Invalid.at(['body'], 'multipart_invalid', 'The form cannot be read: send it whole, as multipart/form-data');
  }
  if (error.code === 'LIMIT_UNEXPECTED_FILE' || error.code === 'LIMIT_FILE_COUNT') {
    return Invalid.at(['body', error.field ?? 'file'], 'extra_forbidden', 'Send one report, in the field "file"');
  }
  return Invalid.at(['body'], 'multipart_invalid', `The form cannot be read: ${error.message.toLowerCase()}`);
}

/**
 * Reads the file of a form into the sink. Throws what the sink throws, `PayloadTooLarge`, and `Invalid` for a form that is
 * broken or has no file in the field `file`.
 */
export async function readReportForm(
  request: Request,
  response: Response,
  sink: ReportSink,
  maxBytes: number,
): Promise<void> {
  // Multer drains what it refuses to the end; what it reads here is a stream that can be left.
  const body = Readable.from(bytesOf(request, maxBytes + maxFormExtraBytes), { objectMode: false });
  const form = Object.assign(body, { headers: request.headers, file: undefined }) as unknown as Request;
  const receive = multer({ storage: into(sink), limits }).single('file');
  try {
    await new Promise<void>((resolve, reject) => {
      receive(form, response, (error: unknown) => (error ? reject(error) : resolve()));
    });
  } catch (error) {
    throw formFault(error);
  } finally {
    body.destroy();
  }
  if (!form.file) {
    throw Invalid.at(['body', 'file'], 'missing', 'Field required: send the report as a file, in the field "file"');
  }
}
