import { FilterConditions, type Given, listed } from '../../database/filtered-statement.js';
import { containing } from '../../database/like-pattern.js';
import { madeBetween } from '../counted-lists.statements.js';
import { timeOf } from '../counted-lists.js';
import { asKept } from './issue-identifiers.js';
import type { IssueConditions, IssueSort } from './issue-filter.dto.js';

/** When a scan last found issue `i`. Issues from before this was kept have the time of their last change. */
export const lastSeenAt = 'coalesce(i.last_seen_at, i.updated_at)';

/** The due date of issue `i`; those without one come last. */
export const dueAt = `coalesce(i.due_at, 'infinity'::timestamptz)`;

/** How severe issue `i` is, as a number; `issues_severity_order_idx` has the same text. */
export const severityRank = `CASE i.severity WHEN 'CRITICAL' THEN 5 WHEN 'HIGH' THEN 4 WHEN 'MEDIUM' THEN 3 WHEN 'LOW' THEN 2 ELSE 1 END`;

/** How probably issue `i` is exploited; `issues_epss_order_idx` has the same text. */
export const epssRank = 'coalesce(i.epss, 0)';

/** The tool that found issue `i` last; issues from before this was kept have that of their newest scan's report. */
export const toolOfIssue = `coalesce(i.tool, (SELECT nullif(r.tool, '') FROM scan_reports r WHERE r.scan_id = i.scan_id))`;

/** Whether issue `i` waits for somebody, so that it can be overdue. */
const waits = `i.status IN ('OPEN', 'MANUAL_REVIEW')`;

function foundBy(scans: string): string {
  return `EXISTS (SELECT FROM issue_scans x ${scans})`;
}

/** The issues on the branches of the organization $1 that have a name. */
export const issuesOfBranch = (name: string) =>
  `SELECT x.issue_id FROM branches b JOIN issue_branches x ON x.branch_id = b.id
    WHERE b.organization_id = $1 AND b.name = ${name} AND x.present`;

/**
 * The conditions on issue `i`, for whatever lists, counts, changes or sends issues. `search` walks the organization's
 * issues, newest first. A finding that returns stays one issue, so there are few.
 */
export const issueFilters = {
  severities: (values: string) => `i.severity = ANY(${values}::text[])`,
  categories: (values: string) => `i.category = ANY(${values}::text[])`,
  statuses: (values: string) => `i.status = ANY(${values}::text[])`,
  assetIds: (values: string) => `i.asset_id = ANY(${values}::uuid[])`,
  scanIds: (values: string) => foundBy(`WHERE x.issue_id = i.id AND x.scan_id = ANY(${values}::uuid[])`),
  profileIds: (values: string) =>
    foundBy(`JOIN scans y ON y.id = x.scan_id WHERE x.issue_id = i.id AND y.application_id = ANY(${values}::uuid[])`),
  tagIds: (values: string) =>
    `EXISTS (SELECT FROM asset_tags b WHERE b.asset_id = i.asset_id AND b.tag_id = ANY(${values}::uuid[]))`,
  rule: (values: string) => `i.security_test_uid = ANY(${values}::text[])`,
  identifier: (values: string) =>
    `i.id IN (SELECT x.issue_id FROM issue_identifiers x WHERE x.organization_id = $1 AND x.value = ANY(${values}::text[]))`,
  kev: 'i.kev',
  notKev: 'NOT i.kev',
  minEpss: (least: string) => `${epssRank} >= ${least}::double precision`,
  except: (id: string) => `i.id <> ${id}::uuid`,
  assetName: (pattern: string) =>
    `i.asset_id IN (SELECT b.id FROM assets b WHERE b.organization_id = $1 AND b.name ILIKE ${pattern})`,
  assignee: (value: string) => `i.assignee_id = ${value}`,
  unassigned: 'i.assignee_id IS NULL',
  overdue: `${waits} AND ${dueAt} < now()`,
  notOverdue: `NOT (${waits} AND ${dueAt} < now())`,
  dueUntil: (time: string) => `${dueAt} < ${time}`,
  tool: (value: string) => `${toolOfIssue} = ${value}`,
  firstSeenSince: (time: string) => `i.created_at >= ${time}`,
  firstSeenUntil: (time: string) => `i.created_at < ${time}`,
  lastSeenSince: (time: string) => `${lastSeenAt} >= ${time}`,
  lastSeenUntil: (time: string) => `${lastSeenAt} < ${time}`,
  search: (pattern: string) =>
    `(i.name ILIKE ${pattern} OR i.full_name ILIKE ${pattern} OR i.context ILIKE ${pattern})`,
  ofDefault: 'NOT i.branch_only',
  branch: (name: string) => `i.id IN (${issuesOfBranch(name)})`,
  /** The same, read from the branch's side. */
  smallBranch: (name: string) => `i.id = ANY (ARRAY(${issuesOfBranch(name)}))`,
  ...madeBetween('i'),
};

export type IssueFilterName = keyof typeof issueFilters;
/** The values of the conditions that somebody asks for. */
export type IssueFilters = Given<IssueFilterName>;

/** For statements with a text of their own: `$1` is the organization. */
export const issueConditions = new FilterConditions<IssueFilterName>(issueFilters);

/** The values of the conditions; `me` is the user who asks, null where that is a key. */
export function filtersOf(asked: IssueConditions, me: string | null): IssueFilters {
  const { assignee, overdue, kev } = asked;
  return {
    severities: listed(asked.severities),
    categories: listed(asked.categories),
    statuses: listed(asked.statuses),
    assetIds: listed(asked.assetIds),
    scanIds: listed(asked.scanIds),
    profileIds: listed(asked.profileIds),
    tagIds: listed(asked.tagIds),
    rule: listed(asked.rule),
    identifier: listed(asked.identifier?.map(asKept)),
    assetName: asked.assetName ? containing(asked.assetName) : undefined,
    // Unspecified: whose issues `me` names for an API key. Nobody's: no id is the nil one.
    assignee:
      assignee === 'me' ? (me ?? '00000000-0000-0000-0000-000000000000') : assignee === 'none' ? undefined : assignee,
    unassigned: assignee === 'none' ? true : undefined,
    overdue: overdue === true ? true : undefined,
    notOverdue: overdue === false ? true : undefined,
    dueUntil: timeOf(asked.dueUntil),
    tool: asked.tool,
    firstSeenSince: timeOf(asked.firstSeenSince),
    firstSeenUntil: timeOf(asked.firstSeenUntil),
    lastSeenSince: timeOf(asked.lastSeenSince),
    lastSeenUntil: timeOf(asked.lastSeenUntil),
    kev: kev === true ? true : undefined,
    notKev: kev === false ? true : undefined,
    minEpss: asked.minEpss,
    search: asked.search ? containing(asked.search) : undefined,
    ofDefault: isOfDefault(asked) ? true : undefined,
    branch: asked.branch === allBranches ? undefined : asked.branch,
    since: timeOf(asked.since),
    until: timeOf(asked.until),
  };
}

const allBranches = '*';

/** Unless somebody asks for a branch or for scans, what only other branches than the default one have is left out. */
function isOfDefault({ branch, scanIds }: IssueConditions): boolean {
  return branch === undefined && listed(scanIds) === undefined;
}

/** The conditions that the index of an order answers. Most have one that leads to few issues, newest first. */
const answered: Record<IssueSort, readonly IssueFilterName[]> = {
  created: [
    ...(['severities', 'categories', 'statuses', 'assetIds', 'scanIds', 'profileIds'] as const),
    ...(['rule', 'identifier', 'except', 'assignee', 'kev', 'notKev'] as const),
    ...(['firstSeenSince', 'firstSeenUntil', 'since', 'until'] as const),
  ],
  severity: [],
  'last-seen': ['lastSeenSince', 'lastSeenUntil'],
  due: ['overdue', 'dueUntil'],
  epss: ['minEpss'],
};

/** Whether a list has to be looked for, among issues that it may not have: then it has a time limit. */
export function isSearch(sort: IssueSort, given: IssueFilters): boolean {
  const asked = (Object.keys(given) as IssueFilterName[]).filter((name) => given[name] !== undefined);
  if (asked.includes('smallBranch')) return false;
  return asked.some((name) => name !== 'ofDefault' && !answered[sort].includes(name));
}
