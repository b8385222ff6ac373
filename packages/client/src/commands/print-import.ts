import type { ImportedIssue, ImportResult } from '@store-service/sdk';
import { idColumn } from './common-columns.js';
import { indented } from './indented.js';
import { baselineInWords } from '../gate/baseline.js';
import { ignoredInWords } from '../gate/ignored.js';
import { severities } from '../values.js';
import { printDetails } from '../output/details.js';
import { harmlessLine } from '../output/harmless.js';
import type { Output } from '../output/output.js';
import { type Column, Table } from '../output/table.js';
import { allowedInWords, type Counts, type Verdict } from '../gate/verdict.js';

const mostNamedShown = 20;
const mostAssetsShown = 3;
const mostFailingShown = 50;

function namedText(named: ImportResult['skipped'], count: number): string {
  const lines = named.slice(0, mostNamedShown).map(({ index, reason }) => `${index ?? 'report'}: ${reason}`);
  const rest = count - lines.length;
  const listed = named.length - lines.length;
  const whole = listed === rest ? ', which -o json lists' : `, of which -o json lists ${listed}`;
  return [...lines, ...(rest > 0 ? [`and ${rest} more${listed > 0 ? whole : ''}`] : [])].join('\n');
}

async function printNamed(output: Output, title: string, named: ImportResult['skipped'], count: number): Promise<void> {
  if (count > 0) await output.write(`\n${output.paint(title, 'bold')}\n${indented(namedText(named, count))}\n`);
}

/** `2 HIGH, 1 LOW`. */
function inWords(counts: Counts): string {
  const parts = severities.flatMap((severity) => (counts[severity] > 0 ? [`${counts[severity]} ${severity}`] : []));
  return parts.length === 0 ? '0' : parts.join(', ');
}

/** An older service does not say. */
function assetsText(uris: string[] | undefined): string | null {
  if (uris === undefined || uris.length === 0) return null;
  const rest = uris.length - mostAssetsShown;
  return `${uris.slice(0, mostAssetsShown).join(', ')}${rest > 0 ? `, and ${rest} more` : ''}`;
}

/** `results[].graphs (3), …`. */
function partsText(parts: ImportResult['notKept'] | undefined): string | null {
  if (parts === undefined || parts.length === 0) return null;
  const named = parts.slice(0, mostNamedShown).map(({ part, findings }) => `${part} (${findings})`);
  const rest = parts.length - named.length;
  return `${named.join(', ')}${rest > 0 ? `, and ${rest} more, which -o json lists` : ''}`;
}

function pathsText({ absolutePaths, absolutePathCount }: ImportResult): string | null {
  if ((absolutePathCount as number | undefined) === undefined || absolutePathCount === 0) return null;
  const named = absolutePaths.slice(0, mostAssetsShown).join(', ');
  return `${absolutePathCount} findings at paths of this machine alone, such as ${named}: name the checkout by --root`;
}

/** Prints the outcome of a report. */
export async function printReport(
  output: Output,
  file: string,
  result: ImportResult,
  isOneOfMany: boolean,
): Promise<void> {
  const { scan, skipped, skippedCount, cut, cutCount } = result;
  // An older service does not say.
  const counts = result.bySeverity as ImportResult['bySeverity'] | undefined;
  await printDetails(output, [
    ['FILE', isOneOfMany ? file : null],
    ['DRY RUN', result.dryRun ? 'nothing was imported' : null],
    ['SCAN ID', result.dryRun ? null : scan.id],
    ['PROFILE', scan.application.name],
    ['KIND', scan.kind],
    ['ASSET', assetsText(result.assetUris)],
    ['BRANCH', result.branch],
    ['CATEGORY', result.category],
    ['FINDINGS', result.findings],
    ['NEW ISSUES', result.created],
    ['SEEN BEFORE', result.seen],
    ['SKIPPED', skippedCount],
    ['CUT', cutCount],
    ['TARGETS', result.targets],
    ['EVENTS', result.events],
    ['OPEN, NEW', counts && inWords(counts.created)],
    ['NEW TO BRANCH', counts && inWords(counts.unmerged)],
    ['OPEN AGAIN', counts && inWords(counts.reopened)],
    ['OPEN, KNOWN', counts && inWords(counts.seen)],
    ['SET ASIDE', counts?.setAside && inWords(counts.setAside)],
    ['GONE', result.goneUnknown ? `unknown: ${result.goneUnknown}` : counts && inWords(counts.gone)],
    ['RESOLVED', result.resolved],
    ['BASELINE', baselineInWords(result)],
    ['DID NOT RUN', result.notRun ?? null],
    ['NOT KEPT', partsText(result.notKept)],
    ['OTHER PATHS', pathsText(result)],
  ]);
  await printNamed(output, 'SKIPPED', skipped, skippedCount);
  await printNamed(output, 'CUT', cut, cutCount);
  if (isOneOfMany) await output.write('\n');
}

/** What a dry run would create has no lasting id. */
const dryIdColumn: Column<ImportedIssue> = {
  ...idColumn,
  value: ({ id, outcome }) => (outcome === 'CREATED' ? 'new' : id),
};

function placeText({ place, line }: ImportedIssue): string {
  return place === null ? '' : `${place}${typeof line === 'number' ? `:${line}` : ''}`;
}

const columns: Column<ImportedIssue>[] = [
  { head: 'SEVERITY', value: ({ severity }) => severity, color: () => 'red', width: 8, least: 8 },
  { head: 'RULE', value: ({ rule }) => rule, width: 24, least: 8 },
  { head: 'PLACE', value: placeText, width: 32, least: 8 },
  { head: 'TITLE', value: ({ name }) => name, width: 40, least: 10 },
];

/** Prints whether the reports pass, and what does not. */
export async function printVerdict(output: Output, verdict: Verdict, isDryRun: boolean): Promise<void> {
  const { passed, failing, ignored, unlisted } = verdict;
  const word = output.paint(passed ? 'passed' : 'failed', passed ? 'green' : 'red');
  await output.write(`\n${output.paint('GATE', 'bold')} ${word} (${allowedInWords(verdict)})\n`);
  for (const entry of ignored) {
    const { reason, until, issues } = entry;
    await output.write(
      `${harmlessLine(`  ignored until ${until}: ${issues} of ${ignoredInWords(entry)}: ${reason}`)}\n`,
    );
  }
  for (const sentence of unlisted) await output.write(`${harmlessLine(`  not listed: ${sentence}`)}\n`);
  if (failing.length === 0) return;
  await output.write('\n');
  await new Table(output, [isDryRun ? dryIdColumn : idColumn, ...columns]).print(failing.slice(0, mostFailingShown));
  if (failing.length > mostFailingShown) await output.write(`and ${failing.length - mostFailingShown} more\n`);
}
