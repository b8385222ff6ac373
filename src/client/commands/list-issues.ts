import type { IssueSummary } from '../../scanning/issues/issues.shapes.js';
import type { Colour } from '../output/output.js';
import type { Column } from '../output/table.js';
import type { Wire } from '../wire.js';
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
}

type Issue = Wire<IssueSummary>;

const severityColours: Record<Issue['severity'], Colour | undefined> = {
  CRITICAL: 'red',
  HIGH: 'red',
  MEDIUM: 'yellow',
  LOW: undefined,
  INFO: 'grey',
};

const columns: readonly Column<Issue>[] = [
  { head: 'ID', value: ({ id }) => id, width: 36, least: 9 },
  { head: 'CREATED AT', value: ({ createdAt }) => createdAt, width: 24, least: 17 },
  {
    head: 'SEVERITY',
    value: ({ severity }) => severity,
    colour: ({ severity }) => severityColours[severity],
    width: 8,
    least: 8,
  },
  { head: 'STATUS', value: ({ status }) => status, width: 14, least: 9 },
  { head: 'ASSET', value: ({ asset }) => asset.name, width: 28, least: 10 },
  { head: 'NAME', value: ({ name }) => name, width: 40, least: 20 },
];

/** `issues list`. */
export async function listIssues(context: Context, options: ListIssuesOptions): Promise<void> {
  const { search, severities, categories, statuses, profileId, scanId, assetId } = options;
  const filter = {
    search,
    severities,
    categories,
    statuses,
    profileIds: profileId,
    scanIds: scanId,
    assetIds: assetId,
  };
  await printList(context, 'issues', filter, columns, options);
}
