import { baselineInWords } from './baseline.js';
import { ignoredInWords } from './ignored.js';
import { severities } from '../values.js';
import type { ImportedReport, Verdict } from './verdict.js';

const mostRows = 50;

/** Text that Markdown shows unchanged, whatever it holds, even in a table cell. */
export function escaped(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/[&<>]/g, (character) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[character] ?? '')
    .replace(/[\\`*_{}[\]()#+!|~@$^=:-]/g, (character) => `&#${character.charCodeAt(0)};`);
}

function table(head: string[], rows: (string | number)[][]): string {
  const line = (cells: (string | number)[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function countsOf({ result: { bySeverity } }: ImportedReport): string {
  const rows = (['created', 'unmerged', 'reopened', 'seen', 'gone'] as const).map((outcome) => [
    { created: 'New', unmerged: 'Known, new to the branch', reopened: 'Open again', seen: 'Known, all', gone: 'Gone' }[
      outcome
    ],
    ...severities.map((severity) => bySeverity[outcome][severity]),
  ]);
  return table(['', ...severities], rows);
}

/** The results as Markdown, for $GITHUB_STEP_SUMMARY and the like. */
export function toMarkdown(reports: readonly ImportedReport[], verdict: Verdict | null): string {
  const blocks = [`## Security gate${verdict ? `: ${verdict.passed ? 'passed' : 'failed'}` : ''}`];
  if (verdict && !verdict.passed) blocks.push(verdict.reasons.map((reason) => `- ${escaped(reason)}`).join('\n'));
  for (const report of reports) {
    const { result, file } = report;
    const of = result.branch === null ? '' : ` on ${escaped(result.branch)}`;
    const dry = result.dryRun ? ' (dry run: nothing was imported)' : '';
    blocks.push(`### ${escaped(result.scan.application.name)}${of}: ${escaped(file)}${dry}`, countsOf(report));
    if (result.resolved > 0) blocks.push(`${result.resolved} issues that are gone were resolved.`);
    const baseline = baselineInWords(result);
    if (baseline !== null) blocks.push(`${escaped(baseline)}.`);
    if (typeof result.notRun === 'string')
      blocks.push(`The tool did not run, or not to its end: ${escaped(result.notRun)}.`);
    if (result.goneUnknown !== null) blocks.push(`Nothing counts as gone: ${escaped(result.goneUnknown)}.`);
  }
  if (verdict && verdict.failing.length > 0) {
    const rows = verdict.failing
      .slice(0, mostRows)
      .map(({ severity, name, rule, place, line, assetName }) => [
        severity,
        escaped(name),
        escaped(rule),
        escaped(place === null ? '' : `${place}${typeof line === 'number' ? `:${line}` : ''}`),
        escaped(assetName),
      ]);
    const rest = verdict.failing.length - rows.length;
    blocks.push('### What failed', table(['Severity', 'Issue', 'Rule', 'Place', 'Asset'], rows));
    if (rest > 0) blocks.push(`and ${rest} more`);
  }
  if (verdict && verdict.unlisted.length > 0) {
    blocks.push('### Not listed', verdict.unlisted.map((sentence) => `- ${escaped(sentence)}`).join('\n'));
  }
  for (const entry of verdict?.ignored ?? []) {
    const { reason, until, issues } = entry;
    blocks.push(`Ignored until ${until}: ${issues} of ${escaped(ignoredInWords(entry))} (${escaped(reason)})`);
  }
  for (const entry of verdict?.expired ?? []) {
    blocks.push(`Counted again: ${escaped(ignoredInWords(entry))} was ignored until ${entry.until}`);
  }
  return `${blocks.join('\n\n')}\n`;
}
