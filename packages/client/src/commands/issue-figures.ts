import type { ResourceScanTarget } from '@store-service/sdk';
import { resolveId } from '../api/ids.js';
import type { List } from '../api/pages.js';
import { printDetails } from '../output/details.js';
import { printJson } from '../output/json.js';
import type { Column } from '../output/table.js';
import { idColumn } from './common-columns.js';
import type { Context } from './context.js';
import { indented } from './indented.js';
import { placeOf } from './issue-actions.js';
import type { OutputFormat } from './options.js';
import { type ListOptions, printList } from './print-list.js';

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
