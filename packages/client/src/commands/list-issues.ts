import type { IssueSummary } from '../../../../src/scanning/issues/issues.dto.js';
import { resolveIds } from '../api/ids.js';
import type { Colour } from '../output/output.js';
import type { Column } from '../output/table.js';
import type { Wire } from '../wire.js';
import { createdColumn, idColumn } from './common-columns.js';
import type { Context } from './context.js';
import { type ListOptions, printList } from './print-list.js';

export interface ListIssuesOptions extends ListOptions {
  search?: string;
  severities?: string[];
  categories?: string[];
  statuses?: string[];
  profileId?: string[];
  scanId?: string[];
  assetId?: string[];
  since?: string;
  until?: string;
}

type Issue = Wire<IssueSummary>;

export const severityColours: Record<Issue['severity'], Colour | undefined> = {
  CRITICAL: 'red',
  HIGH: 'red',
  MEDIUM: 'yellow',
  LOW: undefined,
  INFO: 'grey',
};

const columns: readonly Column<Issue>[] = [
  idColumn,
  { ...createdColumn, mayGo: true },
  {
    head: 'SEVERITY',
    value: ({ severity }) => severity,
    colour: ({ severity }) => severityColours[severity],
    width: 8,
    least: 8,
  },
  { head: 'STATUS', value: ({ status }) => status, width: 14, least: 9 },
  { head: 'ASSET', value: ({ asset }) => asset.name, width: 28, least: 10, mayGo: true },
  { head: 'NAME', value: ({ name }) => name, width: 40, least: 20 },
];

/** `issues list`. */
export async function listIssues(context: Context, options: ListIssuesOptions): Promise<void> {
  const { search, severities, categories, statuses, since, until } = options;
  const [profileIds, scanIds, assetIds] = await Promise.all([
    resolveIds(context.api, 'PROFILE', options.profileId),
    resolveIds(context.api, 'SCAN', options.scanId),
    resolveIds(context.api, 'ASSET', options.assetId),
  ]);
  const filter = { search, severities, categories, statuses, profileIds, scanIds, assetIds, since, until };
  await printList(context, 'issues', filter, columns, options);
}
