import { stat } from 'node:fs/promises';
import { exitCodes, Failure } from '../failure.js';
import type { ImportedReport } from './verdict.js';

interface Run {
  tool: string;
  category: string | null;
}

/** The tools of a report; an older service names the first alone. */
function runsOf({ result }: ImportedReport): Run[] {
  const tools = result.tools as Run[] | undefined;
  if (tools !== undefined) return tools;
  return (result.tool as unknown) === undefined ? [] : [{ tool: result.tool, category: result.category }];
}

/** The run of one report for which the service takes the other as its successor: same tool and category, an asset in common. */
function shared(one: ImportedReport, other: ImportedReport): Run | undefined {
  if (!one.result.assetUris.some((uri) => other.result.assetUris.includes(uri))) return undefined;
  const others = runsOf(other);
  return runsOf(one).find((run) => others.some(({ tool, category }) => tool === run.tool && category === run.category));
}

/** Names two reports with the same tool and category, in words; null if there are none. */
export function togetherInWords(reports: readonly ImportedReport[]): string | null {
  for (const [at, one] of reports.entries()) {
    const other = reports.slice(at + 1).find((later) => shared(one, later));
    const run = other && shared(one, other);
    if (!run) continue;
    const { tool, category } = run;
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
