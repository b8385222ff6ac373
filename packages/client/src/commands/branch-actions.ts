import type { Branch } from '@store-service/sdk';
import { resolveId, resolveIds } from '../api/ids.js';
import type { List } from '../api/pages.js';
import { printDetails } from '../output/details.js';
import { printJson } from '../output/json.js';
import type { Column } from '../output/table.js';
import { idColumn, timeColumn } from './common-columns.js';
import type { branchStates } from '../values.js';
import type { Context } from './context.js';
import type { OutputFormat } from './options.js';
import { type ListOptions, printList } from './print-list.js';

export interface ListBranchesOptions extends ListOptions {
  search?: string;
  assetId?: string[];
  state?: (typeof branchStates)[number];
}

export interface CloseBranchOptions {
  assetId?: string;
  output: OutputFormat;
}

function stateOf(branch: Branch): string {
  if (branch.closedAt !== null) return 'CLOSED';
  return branch.default ? 'DEFAULT' : 'OPEN';
}

const columns: readonly Column<Branch>[] = [
  { ...idColumn, mayGo: true },
  { ...timeColumn<Branch>('LAST SCANNED', ({ lastScannedAt }) => lastScannedAt), mayGo: true },
  { head: 'STATE', value: stateOf, width: 7, least: 7 },
  { head: 'PULL REQUEST', value: ({ pullRequest }) => pullRequest ?? '-', width: 12, least: 6, mayGo: true },
  { head: 'ASSET', value: ({ assetName }) => assetName, width: 30, least: 10, mayGo: true },
  { head: 'NAME', value: ({ name }) => name, width: 40, least: 20 },
];

/** `branches list`. */
export async function listBranches(context: Context, options: ListBranchesOptions): Promise<void> {
  const { search, state } = options;
  const assetIds = await resolveIds(context.api, 'ASSET', options.assetId);
  const list: List<Branch> = (paging) => context.api.branches.list({ query: { search, state, assetIds, ...paging } });
  await printList(context, list, columns, options);
}

/** `branches close`. */
export async function closeBranch({ api, output }: Context, name: string, options: CloseBranchOptions): Promise<void> {
  const assetId = options.assetId && (await resolveId(api, 'ASSET', options.assetId));
  const { data } = await api.branches.close({ body: { name, ...(assetId ? { assetId } : {}) } });
  if (options.output === 'json') return printJson(output, data);
  await printDetails(output, [
    ['CLOSED BRANCHES', String(data.closed)],
    ['RESOLVED ISSUES', String(data.resolved)],
  ]);
}
