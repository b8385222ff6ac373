import type { IssueCategory, IssueSeverity, IssuesListData, IssueStatus, IssueSummary } from '@store-service/sdk';
import { resolveIds } from '../api/ids.js';
import type { List } from '../api/pages.js';
import type { Color } from '../output/output.js';
import type { Column } from '../output/table.js';
import { createdColumn, idColumn } from './common-columns.js';
import type { Context } from './context.js';
import { type FurtherFilters, furtherFilterOf } from './issue-filters.js';
import { type ListOptions, printList } from './print-list.js';
import type { issueSorts } from '../values.js';

export interface IssueFilterOptions extends FurtherFilters {
  search?: string;
  severities?: IssueSeverity[];
  categories?: IssueCategory[];
  statuses?: IssueStatus[];
  profileId?: string[];
  scanId?: string[];
  assetId?: string[];
  branch?: string;
  since?: string;
  until?: string;
  view?: string;
}

type ListIssuesOptions = ListOptions & IssueFilterOptions & { sort?: (typeof issueSorts)[number] };
type Query = NonNullable<IssuesListData['query']>;

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

/** The filter of options, on top of that of a saved view. */
export async function issueFilterOf(
  context: Context,
  options: IssueFilterOptions,
): Promise<{ filter: Query; sort?: Query['sort'] }> {
  const { search, severities, categories, statuses, branch, since, until } = options;
  const [profileIds, scanIds, assetIds, tagIds] = await Promise.all([
    resolveIds(context.api, 'PROFILE', options.profileId),
    resolveIds(context.api, 'SCAN', options.scanId),
    resolveIds(context.api, 'ASSET', options.assetId),
    resolveIds(context.api, 'TAG', options.tagId),
  ]);
  const filter = { search, severities, categories, statuses, profileIds, scanIds, assetIds, branch, since, until };
  const given = { ...filter, tagIds, ...furtherFilterOf(options) };
  const own = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  if (options.view === undefined) return { filter: own };
  const view = await (await import('./view-actions.js')).viewNamed(context, options.view);
  return { filter: { ...view.filter, ...own }, sort: view.sort };
}

/** `issues list`. */
export async function listIssues(context: Context, options: ListIssuesOptions): Promise<void> {
  const { filter, sort } = await issueFilterOf(context, options);
  const query = { ...filter, sort: options.sort ?? sort };
  const list: List<IssueSummary> = (paging) => context.api.issues.list({ query: { ...query, ...paging } });
  await printList(context, list, columns, options, 'counted');
}
