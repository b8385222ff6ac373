import type { IssueSeverity, IssuesListData, IssueStatus, ResourceScanTarget } from '@store-service/sdk';
import { place } from '../../router.svelte.js';

/** A change of issues; a comment may go with it, or be all of it. */
export interface IssueChange {
  severity?: IssueSeverity | null;
  status?: IssueStatus;
  comment?: string;
}

export const severityKeys: Record<string, IssueSeverity> = {
  1: 'CRITICAL',
  2: 'HIGH',
  3: 'MEDIUM',
  4: 'LOW',
  5: 'INFO',
};
export const statusKeys: Record<string, IssueStatus> = {
  o: 'OPEN',
  m: 'MANUAL_REVIEW',
  r: 'RESOLVED',
  i: 'IGNORED',
  f: 'FALSE_POSITIVE',
};

const filterNames = ['severities', 'statuses', 'categories', 'assetIds', 'scanIds', 'profileIds'] as const;
export type IssueFilter = Omit<NonNullable<IssuesListData['query']>, 'size' | 'cursor'>;

/** The filters in the address. */
export function issueFilterOfPlace(): IssueFilter {
  const filter: Record<string, string | string[]> = {};
  for (const name of filterNames) if (place.list(name).length > 0) filter[name] = place.list(name);
  if (place.get('search')) filter['search'] = place.get('search');
  return filter;
}

export const noIssueFilter = Object.fromEntries([...filterNames, 'search'].map((name) => [name, null]));

/** The place where an issue was found, on one line. */
export function addressOf(target: ResourceScanTarget): string {
  const { apiRoute, codeFile, graphqlResolver, webPage, webCrawledUrl } = target;
  if (codeFile) return codeFile.line ? `${codeFile.path}:${codeFile.line}` : codeFile.path;
  if (apiRoute) return `${apiRoute.operation} ${apiRoute.name}`;
  if (graphqlResolver) return `${graphqlResolver.parent}.${graphqlResolver.name}`;
  return webPage?.url ?? webCrawledUrl?.url ?? target.targetUid;
}
