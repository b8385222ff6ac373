import { uuidV7 } from '../../common/crypto/uuid-v7.js';
import type { IssueCategory, IssueSeverity } from '../vocabulary.js';
import { defaultFullName, identityOf } from './issue-identity.js';
import { targetDetails, type TargetCreate } from './issue-target.shapes.js';

/** An issue as a scan found it. */
export interface Finding {
  name: string;
  /** Made of name and severity where left out. */
  fullName?: string;
  severity: IssueSeverity;
  category: IssueCategory;
  context: string;
  assetId: string;
  /** The issue's identity where left out. */
  alertUid?: string;
  /** The name where left out. */
  securityTestUid?: string;
  targets: TargetCreate[];
  /** What tells it from other findings of the same test on the same asset. */
  fingerprint: string;
  /** The status that it has if it is new: IGNORED for one that the scanner itself suppresses. OPEN where left out. */
  status?: 'OPEN' | 'IGNORED';
}

/** A finding as the statements take it; findings of one identity are one row. */
export interface FindingRow {
  id: string;
  identity: string;
  asset_id: string;
  name: string;
  full_name: string;
  severity: IssueSeverity;
  category: IssueCategory;
  status: 'OPEN' | 'IGNORED';
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

/** A later finding of the same identity: its targets are joined and its severity counts. */
function follow(row: FindingRow, { name, fullName, severity }: Finding): void {
  if (fullName === undefined && row.full_name === defaultFullName(row.name, row.severity)) {
    row.full_name = defaultFullName(name, severity);
  }
  row.severity = severity;
}

/** The rows of the findings, one for each identity, and for every finding the row that it became part of. */
export function toRows(findings: Finding[]): { rows: FindingRow[]; rowOf: FindingRow[] } {
  const byIdentity = new Map<string, { row: FindingRow; targets: Map<string, TargetRow> }>();
  const rowOf = findings.map((finding) => {
    const identity = identityOf(finding);
    const known = byIdentity.get(identity);
    if (known) follow(known.row, finding);
    const entry = known ?? { row: toRow(finding, identity), targets: new Map<string, TargetRow>() };
    byIdentity.set(identity, entry);
    for (const target of finding.targets) entry.targets.set(target.targetUid, toTargetRow(target));
    return entry.row;
  });
  for (const { row, targets } of byIdentity.values()) row.targets = [...targets.values()];
  return { rows: [...byIdentity.values()].map(({ row }) => row), rowOf };
}
