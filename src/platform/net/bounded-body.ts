import { pipeline, type Readable } from 'node:stream';
import { constants, createBrotliDecompress, createUnzip } from 'node:zlib';
import { TargetUnreachable } from './target-errors.js';

export interface BodyBounds {
  maxBytes: number;
  /** `refuse`: an answer that is larger, breaks off or takes too long is an error. `truncate`: its beginning is kept. */
  onTooLarge: 'refuse' | 'truncate';
  /** Takes the body piece by piece; the answer then has none. */
  take?: (chunk: Buffer) => Promise<void>;
}

interface BoundedBody {
  body: Buffer;
  truncated: boolean;
}

/**
 * Reads at most `maxBytes` and then closes the stream, and with it the connection; throws `TargetUnreachable` when
 * there is more and `onTooLarge` is `refuse`.
 */
export async function readBounded(stream: Readable, { maxBytes, onTooLarge, take }: BodyBounds): Promise<BoundedBody> {
  const chunks: Buffer[] = [];
  let size = 0;
  let brokeOff = false;
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (take && size <= maxBytes) await take(chunk);
      else if (!take) chunks.push(chunk);
      if (size > maxBytes) break;
    }
  } catch (error) {
    if (onTooLarge === 'refuse') throw error;
    brokeOff = true;
  }
  if (size > maxBytes && onTooLarge === 'refuse') throw tooLarge(maxBytes);
  return { body: Buffer.concat(chunks, take ? 0 : Math.min(size, maxBytes)), truncated: brokeOff || size > maxBytes };
}

/** The refusal of an answer that is larger than the caller accepts. */
export function tooLarge(maxBytes: number): TargetUnreachable {
  return new TargetUnreachable('too_large', `The response is larger than the limit of ${maxBytes} bytes`);
}

/**
 * The stream with its content coding undone, for servers that compress unasked; it decodes no faster than it is read,
 * so that `readBounded` bounds the decoded bytes. An unknown coding is left as it came.
 */
export function decoded(stream: Readable, contentEncoding: string | undefined): Readable {
  const decoder = decoderFor(contentEncoding?.trim().toLowerCase());
  // The callback is required. It is empty, since the reader of the decoder gets the error.
  return decoder ? pipeline(stream, decoder, () => {}) : stream;
}

// Flushed, not finished: an empty body with a content coding is no error, and HTTP itself reports a cut-off one.
function decoderFor(coding: string | undefined) {
  switch (coding) {
    case 'gzip':
    case 'x-gzip':
    case 'deflate':
      return createUnzip({ finishFlush: constants.Z_SYNC_FLUSH });
    case 'br':
      return createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH });
    default:
      return null;
  }
}
