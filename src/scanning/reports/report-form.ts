import { Readable } from 'node:stream';
import type { Request, Response } from 'express';
import { maxFormExtraBytes, receiveFile } from '../../platform/http/multipart-file.js';
import { bytesOf } from '../../platform/http/request-bytes.js';
import type { Fields } from './report-text.js';
import type { SpoolWriter } from './spool-writer.js';

/**
 * Hands the file of a form to the writer, which bounds it, and returns the form's other fields. Throws what the writer throws, `PayloadTooLarge`, and `Invalid`
 * for a form that is broken or has no file in the field `file`.
 */
export async function readReportForm(
  request: Request,
  response: Response,
  writer: SpoolWriter,
  maxBytes: number,
): Promise<Fields> {
  // Multer drains a refused request to its end; this stream can be left instead.
  const body = Readable.from(bytesOf(request, maxBytes + maxFormExtraBytes), { objectMode: false });
  let fields: Fields = {};
  const form = Object.assign(body, { headers: request.headers }) as unknown as Request;
  try {
    await receiveFile(form, response, {
      noun: 'report',
      receive: (bytes) => writer.write(bytes),
      takeFields: (given) => (fields = given),
    });
    return fields;
  } finally {
    body.destroy();
  }
}
