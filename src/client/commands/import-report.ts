import { constants, createReadStream } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type { ImportResult } from '../../scanning/reports/reports.shapes.js';
import type { Upload } from '../api/api-client.js';
import { resolveId } from '../api/ids.js';
import { exitCodes, Failure } from '../failure.js';
import { printDetails } from '../output/details.js';
import { printJson } from '../output/json.js';
import type { Wire } from '../wire.js';
import type { Context } from './context.js';
import { indented } from './indented.js';
import type { OutputFormat } from './options.js';

export interface ImportOptions {
  format?: string;
  asset?: string;
  profileId?: string;
  kind?: string;
  output: OutputFormat;
}

type Result = Wire<ImportResult>;

const mostNamedShown = 20;

const openErrors: Record<string, string> = {
  ENOENT: 'there is no such file',
  EACCES: 'you may not read it',
};

function unreadable(file: string, error: unknown): Failure {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const reason = openErrors[code] ?? (error instanceof Error ? error.message : String(error));
  return new Failure(`Cannot read ${file}: ${reason}`, exitCodes.usage);
}

/** Opens the report; throws for an unreadable file before anything is sent. */
async function uploadOf(file: string, stdin: Readable): Promise<Upload> {
  if (file === '-') return { open: () => stdin, size: undefined, isRepeatable: false };
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

function namedText(named: Result['skipped'], count: number): string {
  const lines = named.slice(0, mostNamedShown).map(({ index, reason }) => `${index ?? 'report'}: ${reason}`);
  const rest = count - lines.length;
  const listed = named.length - lines.length;
  const whole = listed === rest ? ', which -o json lists' : `, of which -o json lists ${listed}`;
  return [...lines, ...(rest > 0 ? [`and ${rest} more${listed > 0 ? whole : ''}`] : [])].join('\n');
}

/** `scans import`: streams a report to the service and prints the result. */
export async function importReport(context: Context, file: string, options: ImportOptions): Promise<void> {
  const { api, output, surroundings } = context;
  const { format, asset, kind } = options;
  const profileId = options.profileId && (await resolveId(api, 'PROFILE', options.profileId));
  const upload = await uploadOf(file, surroundings.stdin);
  const result = await api
    .post<Result>('scans/import', { format, asset, profileId, kind }, upload)
    .finally(() => surroundings.stdin.destroy());
  if (options.output === 'json') {
    await printJson(output, result);
    return;
  }
  const { scan, skipped, skippedCount, cut, cutCount } = result;
  await printDetails(output, [
    ['SCAN ID', scan.id],
    ['PROFILE', scan.application.name],
    ['KIND', scan.kind],
    ['FINDINGS', result.findings],
    ['NEW ISSUES', result.created],
    ['SEEN BEFORE', result.seen],
    ['SKIPPED', skippedCount],
    ['CUT', cutCount],
    ['TARGETS', result.targets],
    ['EVENTS', result.events],
  ]);
  await printNamed(output, 'SKIPPED', skipped, skippedCount);
  await printNamed(output, 'CUT', cut, cutCount);
}

async function printNamed(
  output: Context['output'],
  title: string,
  named: Result['skipped'],
  count: number,
): Promise<void> {
  if (count > 0) await output.write(`\n${output.paint(title, 'bold')}\n${indented(namedText(named, count))}\n`);
}
