import {
  activitiesOf,
  assignments,
  daysBefore,
  type DemoEvent,
  type DemoIssue,
  identifiers,
  issues,
  named,
} from '@store-service/demo';
import { demoIdAt } from '../demo-ids.js';
import { type Finding, type LocatedRow, toRows } from '../../scanning/issues/finding-rows.js';
import { fingerprintOf } from '../../scanning/issues/issue-identity.js';

type Ids = ReadonlyMap<string, string>;

/** An issue with its row, and its finds by scans, oldest first. */
export interface PlacedIssue extends LocatedRow {
  issue: DemoIssue;
  first: Date;
  last: Date;
  finds: { scanId: string; at: Date }[];
}

/** The issues with their rows, as old as the first event about each. */
export function placeIssues(events: readonly DemoEvent[], scanIds: Ids, assetIds: Ids, now: Date): PlacedIssue[] {
  return issues.flatMap((issue) => {
    const found = events.filter((event) => event.issue === issue);
    const finds = found.map(({ scan, createdAt }) => ({ scanId: named(scanIds, scan.key), at: createdAt }));
    const [first, last] = [finds[0]?.at, finds.at(-1)?.at];
    if (!first || !last) throw new Error(`No event of the demo is about "${issue.name}"`);
    const { rows } = toRows([findingOf(issue, assetIds)]);
    const id = demoIdAt(`issue ${issue.name}`, first, now);
    return rows.map(({ row, targets }) => ({ issue, row: { ...row, id }, targets, first, last, finds }));
  });
}

function findingOf({ name, severity, category, context, test, targets, asset }: DemoIssue, assetIds: Ids): Finding {
  const targetUids = targets.map(({ targetUid }) => targetUid);
  const fingerprint = fingerprintOf(name, targetUids);
  const assetId = named(assetIds, asset);
  return { name, severity, category, context, targets, assetId, securityTestUid: test, fingerprint };
}

export function issueRows(placed: readonly PlacedIssue[], organizationId: string, userIds: Ids, now: Date) {
  return placed.map(({ issue: { name, status }, row, first, last, finds }) => {
    const { assignee, dueInDays, ticket, accepted } = assignments[name] ?? {};
    const assigneeId = assignee === undefined ? null : named(userIds, assignee);
    const { activity_id: _, rule_digest: _rule, detail: _detail, ...columns } = row;
    return {
      ...columns,
      organization_id: organizationId,
      status,
      status_set_by: status === 'OPEN' ? null : 'USER',
      scan_id: finds.at(-1)?.scanId,
      created_at: first,
      updated_at: last,
      last_seen_at: last,
      assignee_id: assigneeId,
      due_at: dueInDays === undefined ? null : daysBefore(now, -dueInDays),
      external_url: ticket ?? null,
      accepted_until: accepted ? daysBefore(now, -accepted.forDays) : null,
      accepted_reason: accepted?.reason ?? null,
      accepted_by: accepted ? assigneeId : null,
    };
  });
}

/** What reports say of issues: identifiers, from which the lists' filters and scores follow, and the line. */
export function detailRows(placed: readonly PlacedIssue[]) {
  return placed.flatMap(({ issue: { name, context, targets }, row }) => {
    const own = identifiers[name] ?? [];
    const locations = targets.flatMap(({ codeFile }) =>
      codeFile ? [{ path: codeFile.path, startLine: codeFile.line, snippet: context }] : [],
    );
    if (own.length === 0 && locations.length === 0) return [];
    return [{ issue_id: row.id, rule_digest: null, detail: { message: context, identifiers: own, locations } }];
  });
}

export function issueScanRows(placed: readonly PlacedIssue[]) {
  return placed.flatMap(({ row, finds }) => finds.map(({ scanId }) => ({ issue_id: row.id, scan_id: scanId })));
}

export function targetRows(placed: readonly PlacedIssue[]) {
  return placed.flatMap(({ row, targets, finds }) =>
    targets.map((target) => ({ ...target, issue_id: row.id, scan_id: finds.at(-1)?.scanId })),
  );
}

export function activityRows(placed: readonly PlacedIssue[], organizationId: string, userIds: Ids, now: Date) {
  return placed.flatMap(({ issue, row, finds }) => {
    const moments = finds.map(({ at }) => at);
    return activitiesOf(issue, moments, now).map(({ kind, from, to, comment, by, createdAt }, number) => ({
      id: demoIdAt(`activity ${number} of ${issue.name}`, createdAt, now),
      issue_id: row.id,
      organization_id: organizationId,
      kind,
      from_value: from,
      to_value: to,
      comment,
      actor_kind: by === null ? 'SYSTEM' : 'USER',
      actor_user_id: by === null ? null : named(userIds, by),
      created_at: createdAt,
    }));
  });
}
