import type { ResourceScan, ScanKind, ScanStatus } from '@store-service/sdk';
import { resolveIds } from '../api/ids.js';
import type { List } from '../api/pages.js';
import type { Column } from '../output/table.js';
import { createdColumn, idColumn } from './common-columns.js';
import type { Context } from './context.js';
import { type ListOptions, printList } from './print-list.js';
import { percentOf, scanColor } from './scan-status.js';

export interface ListScansOptions extends ListOptions {
  statuses?: ScanStatus[];
  kinds?: ScanKind[];
  profileId?: string[];
  assetId?: string[];
  branch?: string;
  commit?: string;
  pullRequest?: string;
  tool?: string;
  since?: string;
  until?: string;
}

const columns: readonly Column<ResourceScan>[] = [
  idColumn,
  { ...createdColumn, mayGo: true },
  { head: 'STATUS', value: ({ status }) => status, color: scanColor, width: 8, least: 8 },
  { head: 'DONE', value: percentOf, width: 5, least: 5 },
  { head: 'KIND', value: ({ kind }) => kind, width: 25, least: 12, mayGo: true },
  { head: 'BRANCH', value: ({ branch }) => branch ?? '-', width: 20, least: 8, mayGo: true },
  { head: 'PROFILE', value: ({ application }) => application.name, width: 30, least: 12 },
];

/** `scans list`. */
export async function listScans(context: Context, options: ListScansOptions): Promise<void> {
  const { statuses, kinds, branch, commit, pullRequest, tool, since, until } = options;
  const [profileIds, assetIds] = await Promise.all([
    resolveIds(context.api, 'PROFILE', options.profileId),
    resolveIds(context.api, 'ASSET', options.assetId),
  ]);
  const ofSources = { branch, commit, pullRequest, tool };
  const filter = { statuses, kinds, profileIds, assetIds, ...ofSources, since, until };
  const list: List<ResourceScan> = (paging) => context.api.scans.list({ query: { ...filter, ...paging } });
  await printList(context, list, columns, options, 'counted');
}
