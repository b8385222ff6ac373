import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { Invalid } from '../../platform/errors/invalid.js';
import type { ReportBytes } from './report-finding.js';

type Utf16 = 'utf-16le' | 'utf-16be';

function utf16Of(start: Buffer): Utf16 | null {
  if (start[0] === 0xff && start[1] === 0xfe) return 'utf-16le';
  return start[0] === 0xfe && start[1] === 0xff ? 'utf-16be' : null;
}

async function* decoded(chunks: AsyncIterable<Buffer>, encoding: Utf16): AsyncGenerator<Buffer> {
  const decoder = new TextDecoder(encoding);
  for await (const chunk of chunks) yield Buffer.from(decoder.decode(chunk, { stream: true }));
  yield Buffer.from(decoder.decode());
}

/** The report in UTF-8: some shells redirect output in UTF-16, with a byte order mark. */
export async function utf8Of(bytes: ReportBytes): Promise<ReportBytes> {
  for await (const start of bytes()) {
    const encoding = utf16Of(start);
    return encoding ? () => decoded(bytes(), encoding) : bytes;
  }
  return bytes;
}

const mark = Buffer.from('\ufeff');

function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/** Whether the report is blank. */
export async function isEmpty(bytes: ReportBytes): Promise<boolean> {
  let isFirst = true;
  for await (const chunk of bytes()) {
    const content = isFirst && chunk.subarray(0, mark.length).equals(mark) ? chunk.subarray(mark.length) : chunk;
    if (!content.every(isBlank)) return false;
    isFirst = false;
  }
  return true;
}

/** Passes UTF-8 on; throws `Invalid` for anything else. */
export async function* assertedUtf8(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for await (const chunk of chunks) {
    check(() => decoder.decode(chunk, { stream: true }));
    yield chunk;
  }
  check(() => decoder.decode());
}

function check(decode: () => string): void {
  try {
    decode();
  } catch {
    throw Invalid.at(['body'], 'string_unicode', 'The report is not valid UTF-8');
  }
}

const gzipMagic = Buffer.from([0x1f, 0x8b, 0x08]);

async function* chained(start: Buffer[], rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield* start;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}

async function* gunzipped(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const gunzip = createGunzip();
  pipeline(chunks, gunzip).catch(() => undefined);
  try {
    for await (const chunk of gunzip as AsyncIterable<Buffer>) yield chunk;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (!code.startsWith('Z_')) throw error;
    throw Invalid.at(
      ['body'],
      'value_error',
      'The report begins like gzip but cannot be decompressed: it is damaged or incomplete',
    );
  } finally {
    gunzip.destroy();
  }
}

/** The bytes, decompressed once where their content is gzip (RFC 1952, section 2.3.1). */
export async function* unzipped(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const rest = chunks[Symbol.asyncIterator]();
  const start: Buffer[] = [];
  let length = 0;
  let isGzip = false;
  try {
    while (length < gzipMagic.length) {
      const next = await rest.next();
      if (next.done) break;
      start.push(next.value);
      length += next.value.length;
    }
    isGzip = Buffer.concat(start).subarray(0, gzipMagic.length).equals(gzipMagic);
    yield* isGzip ? gunzipped(chained(start, rest)) : chained(start, rest);
  } finally {
    const left = rest.return?.();
    // A pending read from a client that has stopped sending would delay the response.
    if (isGzip) left?.catch(() => undefined);
    else await left;
  }
}
