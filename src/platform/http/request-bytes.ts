import type { IncomingMessage } from 'node:http';
import type { Duplex, Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { Invalid } from '../errors/invalid.js';
import { PayloadTooLarge, Refusal, UnsupportedMediaType } from '../errors/errors.js';

const decoders: Record<string, () => Duplex> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

function tooLarge(maxBytes: number): PayloadTooLarge {
  return new PayloadTooLarge(
    `The request body is too large: send at most ${maxBytes / 2 ** 20} MiB, in several requests if necessary`,
  );
}

function brokenOff(error: unknown): unknown {
  const { code = '' } = error as NodeJS.ErrnoException;
  if (/^(Z_|ERR__ERROR_|ERR_PADDING)/.test(code)) {
    return Invalid.at(['body'], 'json_invalid', 'The body does not have the encoding that its Content-Encoding names');
  }
  // Also covers a client that ends its connection, which must not be mistaken for a lost database connection.
  return Invalid.at(['body'], 'json_invalid', 'The body ends too early');
}

function decoded(request: IncomingMessage): Readable {
  const encoding = (request.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (encoding === 'identity' || encoding === '') return request;
  const decoder = decoders[encoding]?.();
  if (!decoder) throw new UnsupportedMediaType('The Content-Encoding should be gzip, deflate or br, or be omitted');
  request.on('error', (error) => decoder.destroy(error));
  return request.pipe(decoder);
}

async function* counted(body: Readable, maxBytes: number): AsyncGenerator<Buffer> {
  let bytes = 0;
  try {
    // Destroying the request would destroy the connection, and with it the refusal.
    for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw tooLarge(maxBytes);
      yield chunk;
    }
  } catch (error) {
    throw error instanceof Refusal ? error : brokenOff(error);
  }
}

/**
 * The decoded body of a request, chunk by chunk, at the reader's pace. Throws `PayloadTooLarge` beyond `maxBytes`,
 * `UnsupportedMediaType` for an unknown encoding, `Invalid` where the body breaks off. Discards the unread rest.
 */
export async function* bytesOf(request: IncomingMessage, maxBytes: number): AsyncGenerator<Buffer> {
  try {
    if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
    yield* counted(decoded(request), maxBytes);
  } finally {
    request.unpipe();
    request.resume();
  }
}
