import { constants, createReadStream } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import type { ImportResult } from '../../scanning/reports/reports.shapes.js';
import type { Upload } from '../api/api-client.js';
import { exitCodes, Failure } from '../failure.js';
import { printDetails } from '../output/details.js';
import { printJson } from '../output/json.js';
import type { Wire } from '../wire.js';
import type { Context } from './context.js';
import { indented } from './indented.js';
import type { OutputFormat } from './options.js';

export interface ImportOptions {
  format?: string;
  profileId?: string;
  kind?: string;
  output: OutputFormat;
}

type Result = Wire<ImportResult>;

const mostSkippedShown = 20;

const openErrors: Record<string, string> = {
  ENOENT: 'there is no such file',
  EACCES: 'you may not read it',
};

function unreadable(file: string, error: unknown): Failure {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const reason = openErrors[code] ?? (error instanceof Error ? error.message : String(error));
  return new Failure(`Cannot read ${file}: ${reason}`, exitCodes.usage);
}

/** The report as it will be sent; a wrong name is told before anything is. */
async function uploadOf(file: string): Promise<Upload> {
  if (file === '-') return { open: () => process.stdin, size: undefined, isRepeatable: false };
  const info = await stat(file).catch((error: unknown) => {
    throw unreadable(file, error);
  });
  if (info.isDirectory()) throw new Failure(`Cannot read ${file}: it is a folder`, exitCodes.usage);
  await access(file, constants.R_OK).catch((error: unknown) => {
    throw unreadable(file, error);
  });
  const isRepeatable = info.isFile();
  return { open: () => createReadStream(file), size: isRepeatable ? info.size : undefined, isRepeatable };
}

function skippedText(skipped: Result['skipped']): string {
  const lines = skipped.slice(0, mostSkippedShown).map(({ index, reason }) => `${index}: ${reason}`);
  const rest = skipped.length - lines.length;
  return [...lines, ...(rest > 0 ? [`and ${rest} more, which -o json lists`] : [])].join('\n');
}

/** `scans import`: streams a report to the service and prints what became of it. */
export async function importReport({ api, output }: Context, file: string, options: ImportOptions): Promise<void> {
  const { format, profileId, kind } = options;
  const upload = await uploadOf(file);
  const result = await api
    .post<Result>('scans/import', { format, profileId, kind }, upload)
    .finally(() => process.stdin.destroy());
  if (options.output === 'json') {
    await printJson(output, result);
    return;
  }
  const { scan, skipped } = result;
  await printDetails(output, [
    ['SCAN ID', scan.id],
    ['PROFILE', scan.application.name],
    ['KIND', scan.kind],
    ['FINDINGS', result.findings],
    ['NEW ISSUES', result.created],
    ['SEEN BEFORE', result.seen],
    ['SKIPPED', skipped.length],
    ['TARGETS', result.targets],
    ['EVENTS', result.events],
  ]);
  if (skipped.length > 0)
    await output.write(`\n${output.paint('SKIPPED', 'bold')}\n${indented(skippedText(skipped))}\n`);
}
