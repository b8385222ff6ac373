import { stat } from 'node:fs/promises';
import { exitCodes, Failure } from '../failure.js';
import type { ImportedReport } from './verdict.js';

/** Whether the service takes one for the successor of the other: same tool and category, and an asset in common. */
function follows({ result: one }: ImportedReport, { result: other }: ImportedReport): boolean {
  if (one.tool === undefined || one.tool !== other.tool || one.category !== other.category) return false;
  return one.assetUris.some((uri) => other.assetUris.includes(uri));
}

/** Names two reports with the same tool and category, in words; null if there are none. */
export function togetherInWords(reports: readonly ImportedReport[]): string | null {
  for (const [at, one] of reports.entries()) {
    const other = reports.slice(at + 1).find((later) => follows(one, later));
    if (!other) continue;
    const { tool, category } = one.result;
    const of = category === null ? `${tool} without a category` : `${tool} and the category ${category}`;
    return `${one.file} and ${other.file} are both of ${of}: each is taken for the next report after the other`;
  }
  return null;
}

/** Throws a `Failure` if reports would resolve each other's findings; a dry run of each tells what it is about. */
export async function assertApart(
  files: readonly string[],
  rehearse: (file: string) => Promise<ImportedReport['result']>,
): Promise<void> {
  if (files.length < 2) return;
  const reports: ImportedReport[] = [];
  for (const file of files) {
    if (file === '-' || (await isPipe(file))) {
      const why = 'several reports are looked at before any is imported, and a pipe can be read once';
      throw new Failure(`With --resolve-gone, import ${file} alone: ${why}`, exitCodes.usage);
    }
    const result = await rehearse(file);
    if ((result.tool as unknown) === undefined) {
      const advice = 'import the reports one by one';
      throw new Failure(`The service is older than this client, and does not tell runs of one tool apart: ${advice}`);
    }
    reports.push({ file, result });
  }
  const together = togetherInWords(reports);
  if (together === null) return;
  const advice = 'Import them one by one, each with a --category of its own';
  throw new Failure(`${together}, and --resolve-gone would resolve what the other has. ${advice}`, exitCodes.usage);
}

/** A missing file is reported when it is opened. */
function isPipe(file: string): Promise<boolean> {
  return stat(file).then(
    (info) => info.isFIFO() || info.isCharacterDevice(),
    () => false,
  );
}
