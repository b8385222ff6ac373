import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { connectionFailure } from '../api/connection-failures.js';
import { anyFile } from '../api/service.js';
import { exitCodes, Failure } from '../failure.js';
import { cutToWidth } from '../output/display-width.js';
import { harmlessLine, harmlessText } from '../output/harmless.js';
import type { Context } from './context.js';
import { type IssueFilterOptions, issueFilterOf } from './list-issues.js';
import type { exportFormats } from '../values.js';

export interface ExportOptions extends IssueFilterOptions {
  format: (typeof exportFormats)[number];
}

const redrawMs = 100;

/** The bytes of an answer; one that breaks off is no whole export. */
async function* bytesOf(body: ReadableStream<Uint8Array>, { access, output }: Context, file?: string) {
  let bytes = 0;
  let shownAt = 0;
  try {
    for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
      yield chunk;
      bytes += chunk.length;
      if (file === undefined || !output.isTerminal || Date.now() - shownAt < redrawMs) continue;
      shownAt = Date.now();
      const line = `${(bytes / 2 ** 20).toFixed(1)} MiB: ${file}`;
      output.rewriteLine(cutToWidth(harmlessLine(line), Math.max(1, output.width - 1)));
    }
  } catch (error) {
    const { message } = await connectionFailure(error, access.address);
    throw new Failure(`The export is not complete: ${message}`);
  } finally {
    if (shownAt > 0) output.rewriteLine('');
  }
}

/** Writes aside and renames, so that nobody takes a part for the whole. */
async function writeFileOf(bytes: AsyncIterable<Uint8Array>, file: string): Promise<void> {
  const draft = `${file}.${process.pid}.part`;
  try {
    await pipeline(Readable.from(bytes), createWriteStream(draft, { flags: 'wx' }));
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    if (error instanceof Failure) throw error;
    throw new Failure(
      `Cannot write ${file}: ${error instanceof Error ? error.message : String(error)}`,
      exitCodes.usage,
    );
  }
}

/** `issues export`. */
export async function exportIssues(context: Context, file: string | undefined, options: ExportOptions): Promise<void> {
  const { output, notify } = context;
  const { filter } = await issueFilterOf(context, options);
  const query = { format: options.format, ...filter };
  const headers = { Accept: anyFile };
  const { data } = await context.api.issueExports.export({ query, parseAs: 'stream', headers });
  const bytes = bytesOf(data as unknown as ReadableStream<Uint8Array>, context, file);
  if (file !== undefined) {
    await writeFileOf(bytes, file);
    notify(`${file} is written`);
    return;
  }
  const decoder = new TextDecoder();
  for await (const chunk of bytes) {
    await output.write(output.isTerminal ? harmlessText(decoder.decode(chunk, { stream: true })) : chunk);
  }
}
