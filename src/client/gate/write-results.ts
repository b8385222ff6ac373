import { appendFile, writeFile } from 'node:fs/promises';
import { exitCodes, Failure } from '../failure.js';
import { toJUnit } from './junit.js';
import { toMarkdown } from './markdown.js';
import { toSarif } from './sarif.js';
import type { ImportedReport, Verdict } from './verdict.js';

export interface ResultFiles {
  summary: string | undefined;
  junit: string | undefined;
  sarifOut: string | undefined;
}

async function written(file: string, writing: Promise<void>): Promise<void> {
  try {
    await writing;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Failure(`Cannot write ${file}: ${reason}`, exitCodes.failed);
  }
}

/** Writes the results into files; a summary is added to what is there, as steps of a pipeline share one. */
export async function writeResults(
  { summary, junit, sarifOut }: ResultFiles,
  reports: readonly ImportedReport[],
  verdict: Verdict | null,
): Promise<void> {
  if (summary !== undefined) await written(summary, appendFile(summary, toMarkdown(reports, verdict)));
  if (junit !== undefined) await written(junit, writeFile(junit, toJUnit(reports, verdict)));
  if (sarifOut !== undefined) await written(sarifOut, writeFile(sarifOut, toSarif(reports)));
}
