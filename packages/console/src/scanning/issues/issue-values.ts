import type { IssuePlace, IssueSeverity, IssuesListData, IssueStatus, ResourceScanTarget } from '@store-service/sdk';
import { place } from '../../router.svelte.js';
import { texts } from '../../texts/texts.js';

/** A change of issues; a comment may go with it, or be all of it. */
export interface IssueChange {
  severity?: IssueSeverity | null;
  status?: IssueStatus;
  comment?: string;
  assigneeId?: string | null;
  dueAt?: string | null;
  acceptedUntil?: string | null;
  acceptedReason?: string | null;
  externalUrl?: string | null;
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

const listNames = [
  ...(['severities', 'statuses', 'categories', 'assetIds', 'scanIds', 'profileIds', 'tagIds'] as const),
  ...(['rule', 'identifier'] as const),
];
const timeNames = ['dueUntil', 'firstSeenSince', 'firstSeenUntil', 'lastSeenSince', 'lastSeenUntil'] as const;
const textNames = [...(['assetName', 'tool', 'branch', 'assignee', 'search'] as const), ...timeNames];
const switchNames = ['overdue', 'kev'] as const;
const filterNames = [...listNames, ...textNames, ...switchNames, 'minEpss'];
type ListQuery = NonNullable<IssuesListData['query']>;
export type IssueFilter = Omit<ListQuery, 'size' | 'cursor' | 'sort'>;
/** All issues that match a filter, as many as the user was told. */
export interface AllIssues {
  filter: IssueFilter;
  count: number;
}
export type IssueSort = NonNullable<ListQuery['sort']>;

/** The orders of issues, in words. */
export const issueSorts: readonly { value: IssueSort; label: string }[] = [
  { value: 'severity', label: texts.issues.mostSevereFirst },
  { value: 'created', label: texts.common.newestFirst },
  { value: 'last-seen', label: texts.issues.lastSeenFirst },
  { value: 'due', label: texts.issues.dueFirst },
  { value: 'epss', label: texts.issues.mostProbablyExploitedFirst },
];

/** The least probabilities of an exploit (EPSS) to choose from. */
export const leastEpss = [0.01, 0.1, 0.5] as const;

/** The order of issues that nobody ordered otherwise: what matters most comes first. */
export const usualIssueSort: IssueSort = 'severity';

/** The order in the address. */
export function issueSortOfPlace(): IssueSort {
  return issueSorts.find(({ value }) => value === place.get('sort'))?.value ?? usualIssueSort;
}

/** The filters in the address. */
export function issueFilterOfPlace(): IssueFilter {
  const filter: Record<string, string | string[] | boolean | number> = {};
  for (const name of listNames) if (place.list(name).length > 0) filter[name] = place.list(name);
  for (const name of textNames) if (place.get(name)) filter[name] = place.get(name);
  for (const name of switchNames) if (place.get(name) === 'true') filter[name] = true;
  const epss = Number(place.get('minEpss'));
  if (epss > 0 && epss <= 1) filter['minEpss'] = epss;
  return filter;
}

export const noIssueFilter = Object.fromEntries(filterNames.map((name) => [name, null]));

/** The filters as the address has them, for links to other views of the same issues. */
export const issueFilterInPlace = (): Record<string, string> =>
  Object.fromEntries(filterNames.map((name) => [name, place.get(name)]));

/** The issues that wait for somebody. */
export const waitingStatuses = ['OPEN', 'MANUAL_REVIEW'] as const;

/** An address that a report gives, if it is one of the web: others may be anything. */
export function webAddress(url: string | null | undefined): string | null {
  return url && /^https?:\/\//i.test(url) ? url : null;
}

/** A place of a file or page, on one line. */
export function placeText({ path, url, startLine, name }: IssuePlace): string {
  const file = path && startLine ? `${path}:${startLine}` : path;
  return file ?? url ?? name ?? '';
}

/** The place where an issue was found, on one line. */
export function addressOf(target: ResourceScanTarget): string {
  const { apiRoute, codeFile, graphqlResolver, webPage, webCrawledUrl } = target;
  if (codeFile) return codeFile.line ? `${codeFile.path}:${codeFile.line}` : codeFile.path;
  if (apiRoute) return `${apiRoute.operation} ${apiRoute.name}`;
  if (graphqlResolver) return `${graphqlResolver.parent}.${graphqlResolver.name}`;
  return webPage?.url ?? webCrawledUrl?.url ?? target.targetUid;
}
