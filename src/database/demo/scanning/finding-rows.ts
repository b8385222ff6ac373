import { uuidV7At } from '../../../common/crypto/uuid-v7.js';
import { of } from '../rows.js';
import { activitiesOf } from './activities.js';
import type { DemoEvent } from './events/demo-event.js';
import { issues } from './issues.js';
import type { DemoIssue } from './issues/demo-issue.js';
import type { ScanningDoor } from './scanning-door.js';

type Ids = ReadonlyMap<string, string>;

/** Whose the issues are, with the ids by which rows name what the demo names. */
export interface IssuePlaces {
  organizationId: string;
  assetIds: Ids;
  users: Ids;
  now: Date;
}

/** An issue with its id, and when which scan found it, oldest first. */
export interface PlacedIssue {
  issue: DemoIssue;
  id: string;
  finds: { scanId: string | undefined; at: Date }[];
}

/** What tells an issue of the demo from all others of it. */
export function issueKey({ asset, name }: { asset: string; name: string }): string {
  return JSON.stringify([asset, name]);
}

/** Gives the issues their ids: they are as old as the first event that speaks of them. */
export function placeIssues(events: readonly DemoEvent[], scanIds: Ids): Map<string, PlacedIssue> {
  const findsOf = new Map<string, PlacedIssue['finds']>();
  for (const { issue, scan, createdAt } of events) {
    if (!issue) continue;
    const finds = findsOf.get(issueKey(issue)) ?? [];
    findsOf.set(issueKey(issue), [...finds, { scanId: scanIds.get(scan.key), at: createdAt }]);
  }
  return new Map(
    issues.map((issue, at) => {
      const finds = findsOf.get(issueKey(issue)) ?? [];
      const [first] = finds;
      if (!first) throw new Error(`No event of the demo speaks of "${issue.name}"`);
      return [issueKey(issue), { issue, id: uuidV7At(first.at, at), finds }];
    }),
  );
}

function momentsOf({ finds }: PlacedIssue): Date[] {
  return finds.map(({ at }) => at);
}

export function issueRows(
  placed: readonly PlacedIssue[],
  { assetIds, organizationId }: IssuePlaces,
  door: ScanningDoor,
) {
  return placed.map(({ issue, id, finds }) => {
    const assetId = of(assetIds, issue.asset);
    const { name, severity, category, status, context, test, targets } = issue;
    const targetUids = targets.map(({ uid }) => uid);
    const identity = door.issueIdentity({ assetId, name, test, targetUids });
    return {
      id,
      organization_id: organizationId,
      asset_id: assetId,
      name,
      full_name: `${name} (${severity.toLowerCase()} risk)`,
      severity,
      category,
      status,
      status_set_by: status === 'OPEN' ? null : 'USER',
      context,
      alert_uid: identity,
      security_test_uid: test,
      identity,
      scan_id: finds.at(-1)?.scanId,
      created_at: finds[0]?.at,
      updated_at: finds.at(-1)?.at,
    };
  });
}

export function issueScanRows(placed: readonly PlacedIssue[]) {
  return placed.flatMap(({ id, finds }) => finds.map(({ scanId }) => ({ issue_id: id, scan_id: scanId })));
}

export function targetRows(placed: readonly PlacedIssue[]) {
  return placed.flatMap(({ issue, id, finds }) =>
    issue.targets.map(({ uid, kind, fields }, at) => {
      const moment = finds[0]?.at ?? new Date(0);
      const detail = { [kind]: { id: uuidV7At(moment, at), ...fields } };
      return { id: uuidV7At(moment, at), issue_id: id, target_uid: uid, scan_id: finds.at(-1)?.scanId, detail };
    }),
  );
}

export function activityRows(placed: readonly PlacedIssue[], { users, now, organizationId }: IssuePlaces) {
  return placed.flatMap((one) =>
    activitiesOf(one.issue, momentsOf(one), now).map(({ kind, from, to, comment, by, createdAt }, at) => ({
      id: uuidV7At(createdAt, at),
      issue_id: one.id,
      organization_id: organizationId,
      kind,
      from_value: from,
      to_value: to,
      comment,
      actor_kind: by === null ? 'SYSTEM' : 'USER',
      actor_user_id: by === null ? null : of(users, by),
      created_at: createdAt,
    })),
  );
}
