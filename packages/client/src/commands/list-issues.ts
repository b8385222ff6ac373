import type { IssueCategory, IssueSeverity, IssueStatus, IssueSummary } from '@store-service/sdk';
import { resolveIds } from '../api/ids.js';
import type { List } from '../api/pages.js';
import type { Color } from '../output/output.js';
import type { Column } from '../output/table.js';
import { createdColumn, idColumn } from './common-columns.js';
import type { Context } from './context.js';
import { type ListOptions, printList } from './print-list.js';

export interface ListIssuesOptions extends ListOptions {
  search?: string;
  severities?: IssueSeverity[];
  categories?: IssueCategory[];
  statuses?: IssueStatus[];
  profileId?: string[];
  scanId?: string[];
  assetId?: string[];
  since?: string;
  until?: string;
}

export const severityColors: Record<IssueSummary['severity'], Color | undefined> = {
  CRITICAL: 'red',
  HIGH: 'red',
  MEDIUM: 'yellow',
  LOW: undefined,
  INFO: 'grey',
};

const columns: readonly Column<IssueSummary>[] = [
  idColumn,
  { ...createdColumn, mayGo: true },
  {
    head: 'SEVERITY',
    value: ({ severity }) => severity,
    color: ({ severity }) => severityColors[severity],
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
  const list: List<IssueSummary> = (paging) => context.api.issues.list({ query: { ...filter, ...paging } });
  await printList(context, list, columns, options, 'counted');
}
