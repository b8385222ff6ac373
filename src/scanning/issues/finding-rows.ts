import { uuidV7 } from '../../common/crypto/uuid-v7.js';
import type { IssueCategory, IssueSeverity } from '../vocabulary.js';
import { defaultFullName, identityOf } from './issue-identity.js';
import { targetDetails, type TargetCreate } from './issue-target.shapes.js';

/** A result of a scan: an issue, or a new sighting of one. */
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

/** The most targets that an issue keeps: the first that a scan names. */
export const maxTargets = 10_000;

/** A finding as the statements take it; findings of the same identity share a row. */
export interface FindingRow {
  id: string;
  /** The id of the activity that records the discovery, or keeps the previous context where it changes. */
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

/** A row, and the JSON that the statements take. */
export interface EncodedRow {
  row: FindingRow;
  /** The row without its targets. */
  json: string;
  /** Its targets, separated by commas. */
  targets: string;
}

/** Findings as rows. */
export interface FindingRows {
  /** One for each identity, in their order. */
  rows: EncodedRow[];
  /** For each finding, its row. */
  rowOf: FindingRow[];
  /** The number of targets beyond the most that an issue keeps. */
  targetsCut: number;
}

/** A row as the statements take it. */
export function encode(row: FindingRow): EncodedRow {
  const targets = row.targets.map((one) => JSON.stringify({ issue_id: row.id, ...one }));
  return { row, json: JSON.stringify({ ...row, targets: undefined }), targets: targets.join(',') };
}

/** Makes rows of findings, which may come in several parts. */
export class FindingRowsBuilder {
  private readonly byIdentity = new Map<string, { row: FindingRow; targets: Map<string, TargetRow> }>();
  private readonly rowOf: FindingRow[] = [];
  private targetsCut = 0;

  add(finding: Finding): void {
    const identity = identityOf(finding);
    const known = this.byIdentity.get(identity);
    if (known) merge(known.row, finding);
    const entry = known ?? { row: toRow(finding, identity), targets: new Map<string, TargetRow>() };
    this.byIdentity.set(identity, entry);
    for (const target of finding.targets) {
      const { targets } = entry;
      if (targets.size < maxTargets || targets.has(target.targetUid)) {
        targets.set(target.targetUid, toTargetRow(target));
      } else this.targetsCut++;
    }
    this.rowOf.push(entry.row);
  }

  /** The rows of all findings so far, by identity; `encode` turns each into the form that the statements take. */
  get rows(): FindingRow[] {
    return [...this.byIdentity]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([, { row, targets }]) => Object.assign(row, { targets: [...targets.values()] }));
  }

  /** Updates the rows with all that is known of the findings. */
  with(rows: EncodedRow[]): FindingRows {
    return { rows, rowOf: this.rowOf, targetsCut: this.targetsCut };
  }
}

/** Makes rows of findings at once. */
export function toRows(findings: Finding[]): FindingRows {
  const builder = new FindingRowsBuilder();
  for (const finding of findings) builder.add(finding);
  return builder.with(builder.rows.map(encode));
}
