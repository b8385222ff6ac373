import type { ResourceScan, ScanIssue } from '@store-service/sdk';
import { resolveId } from '../api/ids.js';
import { printDetails } from '../output/details.js';
import { printJson } from '../output/json.js';
import type { Output } from '../output/output.js';
import { type Column, Table } from '../output/table.js';
import { idColumn } from './common-columns.js';
import type { Context } from './context.js';
import type { OutputFormat } from './options.js';
import { percentOf } from './scan-status.js';

const foundColumns: readonly Column<ScanIssue>[] = [
  idColumn,
  { head: 'SEVERITY', value: ({ severity }) => severity, width: 8, least: 8 },
  { head: 'STATUS', value: ({ status }) => status, width: 14, least: 8, mayGo: true },
  { head: 'ASSET', value: ({ assetName }) => assetName, width: 24, least: 10, mayGo: true },
  { head: 'NAME', value: ({ name }) => name, width: 40, least: 12 },
];

async function printScan(output: Output, scan: ResourceScan, format: OutputFormat): Promise<void> {
  if (format === 'json') return printJson(output, scan);
  await printDetails(output, [
    ['ID', scan.id],
    ['STATUS', scan.status],
    ['DONE', percentOf(scan)],
    ['KIND', scan.kind],
    ['PROFILE', scan.application.name],
    ['PROFILE ID', scan.applicationId],
    ['CREATED AT', scan.createdAt],
    ['UPDATED AT', scan.updatedAt],
    ['FINISHED AT', scan.finishedAt],
  ]);
}

/** `scans get`. */
export async function showScan({ api, output }: Context, given: string, format: OutputFormat): Promise<void> {
  const id = await resolveId(api, 'SCAN', given);
  await printScan(output, (await api.scans.get({ path: { id } })).data, format);
}

/** `scans cancel`. */
export async function cancelScan({ api, output }: Context, given: string, format: OutputFormat): Promise<void> {
  const id = await resolveId(api, 'SCAN', given);
  await printScan(output, (await api.scans.cancel({ path: { id } })).data, format);
}

/** `scans found`: the issues of a scan, compared with the previous scan. */
export async function showFound({ api, output }: Context, given: string, format: OutputFormat): Promise<void> {
  const { data: found } = await api.scanIssues.get({ path: { id: await resolveId(api, 'SCAN', given) } });
  if (format === 'json') return printJson(output, found);
  const { previous, created, seen, gone } = found;
  await printDetails(output, [
    ['COMPARED WITH', previous ? `${previous.id} of ${previous.createdAt}` : 'no scan before it'],
    ['NEW', created.total],
    ['SEEN AGAIN', seen.total],
    ['GONE', gone ? gone.total : 'not known'],
  ]);
  for (const [title, group] of [
    ['NEW', created],
    ['SEEN AGAIN', seen],
    ['GONE', gone],
  ] as const) {
    if (!group || group.total === 0) continue;
    const count = group.total > group.issues.length ? `, the first ${group.issues.length}` : '';
    await output.write(`\n${output.paint(title + count, 'bold')}\n`);
    await new Table(output, foundColumns).print(group.issues);
  }
}
