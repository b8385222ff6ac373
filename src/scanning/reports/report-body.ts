import type { Request, Response } from 'express';
import { PayloadTooLarge, UnsupportedMediaType } from '../../platform/errors/errors.js';
import { bytesOf } from '../../platform/http/request-bytes.js';
import { closeAfterResponse } from '../../platform/http/close-after-response.js';
import { SpoolFile } from '../spool-file.js';
import type { Fields } from './report-text.js';
import { megabyte, SpoolWriter, tooLarge } from './spool-writer.js';
import { Readable } from 'node:stream';
import { maxFormExtraBytes, receiveFile } from '../../platform/http/multipart-file.js';

/**
 * Hands the file of a form to the writer, which bounds it, and returns the form's other fields. Throws what the writer throws, `PayloadTooLarge`, and `Invalid`
 * for a form that is broken or has no file in the field `file`.
 */
async function readReportForm(
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

const mediaType = /^\s*(application|text)\/([\w.+-]+)\s*(?:;|$)/i;
const takenSubtypes = new Set(['octet-stream', 'gzip', 'x-gzip']);
const takenCharset = /^(?:utf-?8|utf-?16(?:le|be)?|us-ascii)$/i;

function isTaken(contentType: string): boolean {
  const [, type, subtype] = mediaType.exec(contentType.toLowerCase()) ?? [];
  if (type === undefined || subtype === undefined) return false;
  return type === 'text' || takenSubtypes.has(subtype) || subtype.includes('json') || subtype.includes('xml');
}

function assertType(contentType: string): void {
  const charset = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType)?.[1] ?? 'utf-8';
  if (isTaken(contentType) && takenCharset.test(charset)) return;
  throw new UnsupportedMediaType(
    'Send the report as application/json, application/x-ndjson, application/xml, application/gzip, text/plain or ' +
      'application/octet-stream, ' +
      `or as multipart/form-data in the field "file" (got: ${contentType.slice(0, 100)})`,
  );
}

async function receive(request: Request, response: Response, spool: SpoolFile, maxMegabytes: number): Promise<Fields> {
  const writer = new SpoolWriter(spool, maxMegabytes);
  const maxBytes = maxMegabytes * megabyte;
  if (request.is('multipart/form-data')) return readReportForm(request, response, writer, maxBytes);
  assertType(request.headers['content-type'] ?? 'application/octet-stream');
  await writer.write(bytesOf(request, maxBytes));
  return {};
}

/** A report, with the other fields of the form that it came in. */
export interface ReceivedReport {
  spool: SpoolFile;
  fields: Fields;
}

/**
 * Reads the report in a request, as its body or as the file of a form, into a spool file that the caller closes. Throws
 * `PayloadTooLarge`, `UnsupportedMediaType`, and `Invalid` for a body that breaks off.
 */
export async function receiveReport(
  request: Request,
  response: Response,
  maxMegabytes: number,
): Promise<ReceivedReport> {
  const spool = new SpoolFile();
  try {
    return { spool, fields: await receive(request, response, spool, maxMegabytes) };
  } catch (error) {
    await spool.close();
    if (!(error instanceof PayloadTooLarge)) throw error;
    closeAfterResponse(request, response);
    throw tooLarge(maxMegabytes);
  }
}
