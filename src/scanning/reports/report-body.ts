import type { Request, Response } from 'express';
import { PayloadTooLarge, UnsupportedMediaType } from '../../common/errors/kinds.js';
import { bytesOf } from '../../common/http/request-bytes.js';
import { readReportForm } from './report-form.js';
import { megabyte, sinkInto, tooLarge } from './report-sink.js';
import { Spool } from './spool.js';

const takenType = /^\s*(?:application\/(?:octet-stream|[\w.+-]*json[\w.+-]*)|text\/[\w.+-]+)\s*(?:;|$)/i;
const takenCharset = /^(?:utf-?8|utf-?16(?:le|be)?|us-ascii)$/i;
/** Long enough for an answer to arrive before its connection ends. */
const patienceMs = 1_000;

function demandType(contentType: string): void {
  const charset = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType)?.[1] ?? 'utf-8';
  if (takenType.test(contentType) && takenCharset.test(charset)) return;
  throw new UnsupportedMediaType(
    'Send the report as application/json, application/x-ndjson, text/plain or application/octet-stream, ' +
      `or as multipart/form-data in the field "file" (got: ${contentType.slice(0, 100)})`,
  );
}

/**
 * A client that sends what is refused could send for ever: nothing more is read, and its connection ends. Node would end it
 * with the answer, and reset a client that still sends before it has read it (RFC 9112, section 9.6).
 */
function stopReading(request: Request, response: Response): void {
  const { socket } = request;
  request.pause();
  response.setHeader('Connection', 'close');
  socket.destroySoon = () => {
    socket.end();
    setTimeout(() => socket.destroy(), patienceMs).unref();
  };
}

async function receive(request: Request, response: Response, spool: Spool, maxMegabytes: number): Promise<void> {
  const sink = sinkInto(spool, maxMegabytes);
  const maxBytes = maxMegabytes * megabyte;
  if (request.is('multipart/form-data')) return readReportForm(request, response, sink, maxBytes);
  demandType(request.headers['content-type'] ?? 'application/octet-stream');
  await sink.fill(bytesOf(request, maxBytes));
}

/**
 * Reads the report that a request carries, as its body or as the file of a form, and answers where it lies; the caller
 * closes it. Throws `PayloadTooLarge`, `UnsupportedMediaType`, and `Invalid` for a body that breaks off.
 */
export async function receiveReport(request: Request, response: Response, maxMegabytes: number): Promise<Spool> {
  const spool = await Spool.open();
  try {
    await receive(request, response, spool, maxMegabytes);
    return spool;
  } catch (error) {
    await spool.close();
    if (!(error instanceof PayloadTooLarge)) throw error;
    stopReading(request, response);
    throw tooLarge(maxMegabytes);
  }
}
