import { constants, createWriteStream } from 'node:fs';
import { access, mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { exitCodes, Failure } from '../failure.js';
import { toJUnit } from './junit.js';
import { toMarkdown } from './markdown.js';
import { toSarif } from './sarif.js';
import type { ImportedReport, Judged } from './verdict.js';

export interface ResultFiles {
  summary?: string | undefined;
  junit?: string | undefined;
  sarifOut?: string | undefined;
}

const reasons: Record<string, string> = {
  EACCES: 'you may not write there',
  EROFS: 'nothing can be written there',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of the path is no folder',
  EEXIST: 'a part of the path is no folder',
};

function inWords(file: string, error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return `Cannot write ${file}: ${reasons[code] ?? message}`;
}

async function assertCanBeWritten(file: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const info = await stat(file).catch(() => null);
  if (info?.isDirectory()) throw Object.assign(new Error(), { code: 'EISDIR' });
  await access(info ? file : dirname(file), constants.W_OK);
}

/** Creates the folders of the files, and throws a `Failure` if one cannot be written, before anything is imported. */
export async function assertWritable({ summary, junit, sarifOut }: ResultFiles): Promise<void> {
  for (const file of [summary, junit, sarifOut]) {
    if (file === undefined) continue;
    await assertCanBeWritten(file).catch((error: unknown) => {
      throw new Failure(inWords(file, error), exitCodes.usage);
    });
  }
}

/**
 * Writes the results to files, however many issues there are; a summary is appended to an existing one, as steps of a pipeline
 * share it. Returns a sentence for each file that could not be written.
 */
export async function writeResults(
  { summary, junit, sarifOut }: ResultFiles,
  reports: readonly ImportedReport[],
  judged: Judged | null,
): Promise<string[]> {
  const faults: string[] = [];
  const write = async (
    file: string | undefined,
    text: () => Iterable<string> | AsyncIterable<string>,
    flags: 'w' | 'a',
  ) => {
    if (file === undefined) return;
    await pipeline(text(), createWriteStream(file, { flags })).catch((error: unknown) =>
      faults.push(inWords(file, error)),
    );
  };
  await write(summary, () => [toMarkdown(reports, judged?.verdict ?? null)], 'a');
  await write(junit, () => toJUnit(reports, judged), 'w');
  await write(sarifOut, () => toSarif(reports), 'w');
  return faults;
}
