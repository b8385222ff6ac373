import type { IssueGroup, IssuesOfWeek, ResourceScanTarget, TimeToFix, WaitingIssues } from '@store-service/sdk';
import { resolveId } from '../api/ids.js';
import type { List } from '../api/pages.js';
import { printDetails } from '../output/details.js';
import { printJson } from '../output/json.js';
import { type Column, Table } from '../output/table.js';
import { idColumn } from './common-columns.js';
import type { Context } from './context.js';
import { indented } from './indented.js';
import { placeOf } from './issue-actions.js';
import { type IssueFilterOptions, issueFilterOf, severityColors } from './list-issues.js';
import { listPrinter, type ListOptions, printList } from './print-list.js';
import type { ListFormat, OutputFormat } from './options.js';
import type { issueGroupings } from '../values.js';

const targetColumns: readonly Column<ResourceScanTarget>[] = [
  idColumn,
  { head: 'SCAN ID', value: ({ scanId }) => scanId ?? '-', width: 36, least: 36, mayGo: true },
  { head: 'PLACE', value: placeOf, width: 60, least: 20 },
];

/** `issues targets`. */
export async function listTargets(context: Context, given: string, options: ListOptions): Promise<void> {
  const id = await resolveId(context.api, 'ISSUE', given);
  const list: List<ResourceScanTarget> = (query) => context.api.issues.targets({ path: { id }, query });
  await printList(context, list, targetColumns, options);
}

function countsText(counts: Record<string, number>): string {
  const width = Math.max(...Object.keys(counts).map((name) => name.length));
  return Object.entries(counts)
    .map(([name, count]) => `${name.padEnd(width)}  ${count}`)
    .join('\n');
}

/** `issues summary`. */
export async function showSummary({ api, output }: Context, format: OutputFormat): Promise<void> {
  const { data: summary } = await api.issues.summary();
  if (format === 'json') return printJson(output, summary);
  await printDetails(output, [['ISSUES', summary.total]]);
  const sections = {
    'OPEN, BY SEVERITY': summary.openBySeverity,
    'ALL, BY SEVERITY': summary.bySeverity,
    'ALL, BY STATUS': summary.byStatus,
    'ALL, BY CATEGORY': summary.byCategory,
  };
  for (const [title, counts] of Object.entries(sections)) {
    await output.write(`\n${output.paint(title, 'bold')}\n${indented(countsText(counts))}\n`);
  }
}

export interface GroupOptions extends IssueFilterOptions {
  by: (typeof issueGroupings)[number];
  limit: number;
  output: ListFormat;
}

export interface MetricsOptions extends IssueFilterOptions {
  weeks?: number;
  output: OutputFormat;
}

const countColumn = <Row>(head: string, value: (row: Row) => number): Column<Row> => ({
  head,
  value: (row) => String(value(row)),
  width: head.length,
  least: head.length,
});

const groupColumns: readonly Column<IssueGroup>[] = [
  countColumn('ISSUES', ({ count }) => count),
  countColumn('OPEN', ({ open }) => open),
  countColumn('CRITICAL', ({ bySeverity }) => bySeverity.CRITICAL),
  countColumn('HIGH', ({ bySeverity }) => bySeverity.HIGH),
  { head: 'KEY', value: ({ key }) => key, width: 36, least: 12, mayGo: true },
  { head: 'NAME', value: ({ name }) => name, width: 40, least: 20 },
];

/** `issues groups`. */
export async function listGroups(context: Context, options: GroupOptions): Promise<void> {
  const { filter } = await issueFilterOf(context, options);
  const query = { ...filter, by: options.by, size: options.limit };
  const { data: counted } = await context.api.issueFigures.groups({ query });
  const printer = listPrinter(context.output, options.output, groupColumns);
  await printer.print(counted.data);
  await printer.end?.();
  const { length } = counted.data;
  if (counted.groups > length) context.notify(`${length} of ${counted.groups} groups shown: --limit`);
}

const severityColumn: Column<Pick<WaitingIssues, 'severity'>> = {
  head: 'SEVERITY',
  value: ({ severity }) => severity,
  color: ({ severity }) => severityColors[severity],
  width: 8,
  least: 8,
};

const waitingColumns: readonly Column<WaitingIssues>[] = [
  severityColumn,
  countColumn('OPEN', ({ open }) => open),
  countColumn('OVERDUE', ({ overdue }) => overdue),
  countColumn('TO 7 DAYS', ({ upTo7Days }) => upTo7Days),
  countColumn('TO 30', ({ upTo30Days }) => upTo30Days),
  countColumn('TO 90', ({ upTo90Days }) => upTo90Days),
  countColumn('OLDER', ({ older }) => older),
];

const daysText = (days: number | null) => (days === null ? '-' : String(Math.round(days * 10) / 10));

const fixColumns: readonly Column<TimeToFix>[] = [
  severityColumn,
  countColumn('FIXED', ({ fixed }) => fixed),
  { head: 'MEDIAN DAYS', value: ({ medianDays }) => daysText(medianDays), width: 11, least: 11 },
  { head: 'NINE OF TEN', value: ({ ninetiethDays }) => daysText(ninetiethDays), width: 11, least: 11 },
];

const weekColumns: readonly Column<IssuesOfWeek>[] = [
  { head: 'WEEK OF', value: ({ at }) => at.slice(0, 10), width: 10, least: 10 },
  countColumn('OPENED', ({ opened }) => opened),
  countColumn('CLOSED', ({ closed }) => closed),
];

/** `issues metrics`. */
export async function showMetrics(context: Context, options: MetricsOptions): Promise<void> {
  const { output } = context;
  const { filter } = await issueFilterOf(context, options);
  const { data: metrics } = await context.api.issueFigures.metrics({ query: { ...filter, weeks: options.weeks } });
  if (options.output === 'json') return printJson(output, metrics);
  const title = (text: string) => output.write(`${output.paint(text, 'bold')}\n`);
  await title('OPEN, BY AGE');
  await new Table(output, waitingColumns).print(metrics.waiting);
  await title('\nTIME TO FIX');
  await new Table(output, fixColumns).print(metrics.timeToFix);
  await title('\nBY WEEK');
  await new Table(output, weekColumns).print(metrics.weeks);
}
