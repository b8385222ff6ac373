import type { ProductImport } from '@store-service/sdk';
import { createReadStream, createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { exitCodes, Failure } from '../failure.js';
import { printDetails } from '../output/details.js';
import { harmlessLine } from '../output/harmless.js';
import { printJson } from '../output/json.js';
import type { Context } from './context.js';
import type { OutputFormat } from './options.js';

/** More than the service accepts. */
const mostBytes = 6 * 2 ** 20;

export interface ProductImportOptions {
  dryRun?: true;
  output: OutputFormat;
}

function unusable(file: string, error: unknown, what: string): Failure {
  if (error instanceof Failure) return error;
  return new Failure(`Cannot ${what} ${file}: ${(error as Error).message}`, exitCodes.usage);
}

/** `shop products export`: a file is replaced once all of it is there. */
export async function exportProducts({ shop, output }: Context, file: string | undefined): Promise<void> {
  const { data } = await shop.adminProducts.export({ parseAs: 'stream', headers: { Accept: 'text/csv' } });
  const bytes = data as unknown as AsyncIterable<Uint8Array>;
  if (file === undefined) {
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
    for await (const chunk of bytes) await output.write(decoder.decode(chunk, { stream: true }));
    return;
  }
  const part = `${file}.${process.pid}.part`;
  try {
    await pipeline(bytes, createWriteStream(part));
    await rename(part, file);
  } catch (error) {
    await rm(part, { force: true }).catch(() => undefined);
    throw unusable(file, error, 'write');
  }
}

async function contentOf({ stdin }: Context['surroundings'], file: string): Promise<Blob> {
  const chunks: Buffer<ArrayBuffer>[] = [];
  let bytes = 0;
  try {
    for await (const chunk of file === '-' ? stdin : createReadStream(file)) {
      chunks.push(Buffer.from(chunk as Buffer));
      bytes += (chunk as Buffer).length;
      if (bytes > mostBytes)
        throw new Failure(`Cannot import ${file}: it is longer than 5 MiB: split it`, exitCodes.usage);
    }
  } catch (error) {
    throw unusable(file, error, 'read');
  }
  return new Blob(chunks);
}

/** `shop products import`. */
export async function importProducts(context: Context, file: string, options: ProductImportOptions): Promise<void> {
  const { shop, output, notify, surroundings } = context;
  const body = await contentOf(surroundings, file);
  const { data: done } = await shop.adminProducts.import({ body, query: { dry_run: options.dryRun === true } });
  if (options.output === 'json') await printJson(output, done);
  else await printDetails(output, rowsOf(done));
  for (const { line, field, detail } of done.refused) {
    notify(harmlessLine(`line ${line}${field === null ? '' : `, ${field}`}: ${detail}`));
  }
  if (done.refused_count > 0) throw new Failure(`${done.refused_count} faults: nothing of ${file} would be imported`);
}

function rowsOf({ dry_run, created, updated, unchanged }: ProductImport): [string, string][] {
  const counts: [string, string][] = [
    ['CREATED', String(created)],
    ['UPDATED', String(updated)],
    ['UNCHANGED', String(unchanged)],
  ];
  return dry_run ? [...counts, ['IMPORTED', 'no, this was a dry run']] : counts;
}
