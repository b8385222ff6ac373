import { Invalid } from '../../common/errors/invalid.js';
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

/**
 * The report in UTF-8: some shells write UTF-16 where output goes into a file, and mark it. `Invalid` for an empty one.
 */
export async function utf8Of(bytes: ReportBytes): Promise<ReportBytes> {
  for await (const start of bytes()) {
    const encoding = utf16Of(start);
    return encoding ? () => decoded(bytes(), encoding) : bytes;
  }
  throw Invalid.at(['body'], 'missing', 'The report is empty');
}

/** Passes on what is UTF-8; throws `Invalid` for what is not. */
export async function* demandUtf8(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
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
