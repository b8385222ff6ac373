import { Readable } from 'node:stream';
import type { Request, Response } from 'express';
import { maxFormExtraBytes, receiveFile } from '../../common/http/multipart-file.js';
import { bytesOf } from '../../common/http/request-bytes.js';
import type { ReportSink } from './report-sink.js';

/**
 * Reads the file of a form into the sink, which bounds it. Throws what the sink throws, `PayloadTooLarge`, and `Invalid`
 * for a form that is broken or has no file in the field `file`.
 */
export async function readReportForm(
  request: Request,
  response: Response,
  sink: ReportSink,
  maxBytes: number,
): Promise<void> {
  // Multer drains what it refuses to the end; what it reads here is a stream that can be left.
  const body = Readable.from(bytesOf(request, maxBytes + maxFormExtraBytes), { objectMode: false });
  const form = Object.assign(body, { headers: request.headers }) as unknown as Request;
  try {
    await receiveFile(form, response, { noun: 'report', receive: (bytes) => sink.fill(bytes) });
  } finally {
    body.destroy();
  }
}
