import { uuidV7 } from '../../common/crypto/uuid-v7.js';
import type { IssueCategory, IssueSeverity } from '../vocabulary.js';
import { defaultFullName, identityOf } from './issue-identity.js';
import { targetDetails, type TargetCreate } from './issue-target.shapes.js';

/** What a scan found: an issue, or a new sighting of one. */
export interface Finding {
  name: string;
  /** Defaults to the name with the severity. */
  fullName?: string;
  severity: IssueSeverity;
  category: IssueCategory;
  context: string;
  assetId: string;
  /** Defaults to the issue's identity. */
  alertUid?: string;
  /** Defaults to the name. */
  securityTestUid?: string;
  targets: TargetCreate[];
  /** Distinguishes it from other findings of the same test on the same asset. */
  fingerprint: string;
  /**
   * The scanner's own verdict: IGNORED where the code suppresses the finding, FALSE_POSITIVE where the tool takes it for one.
   * Defaults to OPEN.
   */
  status?: 'OPEN' | SetAside;
}

/** How a scanner may set a finding aside. */
export type SetAside = 'IGNORED' | 'FALSE_POSITIVE';

/** How many targets an issue keeps: the first that a scan names. */
export const maxTargets = 10_000;

/** A finding as the statements take it; findings of the same identity share a row. */
export interface FindingRow {
  id: string;
  /** The id of the activity that tells of the discovery, or keeps the previous context where it changes. */
  activity_id: string;
  identity: string;
  asset_id: string;
  name: string;
  full_name: string;
  severity: IssueSeverity;
  category: IssueCategory;
  status: 'OPEN' | SetAside;
  context: string;
  alert_uid: string;
  security_test_uid: string;
  targets: TargetRow[];
}

export interface TargetRow {
  id: string;
  target_uid: string;
  detail: Record<string, object>;
}

function toTargetRow(target: TargetCreate): TargetRow {
  const details = targetDetails.flatMap((kind) => {
    const fields = target[kind];
    return fields ? [[kind, Object.assign({ id: uuidV7() }, fields)] as const] : [];
  });
  return { id: uuidV7(), target_uid: target.targetUid, detail: Object.fromEntries(details) };
}

function toRow(finding: Finding, identity: string): FindingRow {
  const { name, severity, securityTestUid = name, alertUid = identity } = finding;
  return {
    id: uuidV7(),
    activity_id: uuidV7(),
    identity,
    asset_id: finding.assetId,
    name,
    full_name: finding.fullName ?? defaultFullName(name, severity),
    severity,
    category: finding.category,
    status: finding.status ?? 'OPEN',
    context: finding.context,
    alert_uid: alertUid,
    security_test_uid: securityTestUid,
    targets: [],
  };
}

/**
 * Merges a later finding of the same identity into its row: severity and context are the later ones, and the row is open
 * where either finding is.
 */
function merge(row: FindingRow, { name, fullName, severity, context, status = 'OPEN' }: Finding): void {
  if (fullName === undefined && row.full_name === defaultFullName(row.name, row.severity)) {
    row.full_name = defaultFullName(name, severity);
  }
  row.severity = severity;
  if (context !== '') row.context = context;
  if (status === 'OPEN') row.status = status;
}

/** Findings as rows. */
export interface FindingRows {
  /** One for each identity. */
  rows: FindingRow[];
  /** For each finding, its row. */
  rowOf: FindingRow[];
  /** How many targets exceeded what an issue keeps. */
  targetsCut: number;
}

/** Makes rows of findings. */
export function toRows(findings: Finding[]): FindingRows {
  const byIdentity = new Map<string, { row: FindingRow; targets: Map<string, TargetRow> }>();
  let targetsCut = 0;
  const rowOf = findings.map((finding) => {
    const identity = identityOf(finding);
    const known = byIdentity.get(identity);
    if (known) merge(known.row, finding);
    const entry = known ?? { row: toRow(finding, identity), targets: new Map<string, TargetRow>() };
    byIdentity.set(identity, entry);
    for (const target of finding.targets) {
      const { targets } = entry;
      if (targets.size < maxTargets || targets.has(target.targetUid)) {
        targets.set(target.targetUid, toTargetRow(target));
      } else targetsCut++;
    }
    return entry.row;
  });
  for (const { row, targets } of byIdentity.values()) row.targets = [...targets.values()];
  return { rows: [...byIdentity.values()].map(({ row }) => row), rowOf, targetsCut };
}
