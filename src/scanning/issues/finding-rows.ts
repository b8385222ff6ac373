import { uuidV7 } from '../../platform/crypto/uuid-v7.js';
import type { IssueCategory, IssueSeverity } from '../vocabulary.js';
import { defaultFullName, type FormerParts, identityOf } from './issue-identity.js';
import { targetDetails, type TargetCreate } from './issue-target.dto.js';

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
  /** As what it may be known: if there is no issue of it yet, such an issue becomes it. */
  formerly?: FormerParts[];
  /**
   * The scanner's own verdict: IGNORED where the code suppresses the finding, FALSE_POSITIVE where the tool takes it for one.
   * Defaults to OPEN.
   */
  status?: 'OPEN' | SetAside;
  /** What else a report says of it: a `FindingDetail` as JSON. */
  detail?: string;
  ruleDigest?: string;
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
  rule_digest: string | null;
  /** JSON, which `encode` puts in as it is. */
  detail: string | null;
}

export interface TargetRow {
  id: string;
  /** The issue's, if it is new. */
  issue_id: string;
  target_uid: string;
  detail: Record<string, object>;
}

function toTargetRow(issueId: string, target: TargetCreate): TargetRow {
  const detail: TargetRow['detail'] = {};
  for (const kind of targetDetails) {
    const fields = target[kind];
    if (fields) detail[kind] = Object.assign({ id: uuidV7() }, fields);
  }
  return { id: uuidV7(), issue_id: issueId, target_uid: target.targetUid, detail };
}

/** With fewer targets, which nearly every finding has, looking through them takes less than an index of them. */
const fewTargets = 8;

/** The targets of one row, each uid once: the newest of it, at the place of the first. */
class RowTargets {
  readonly rows: TargetRow[] = [];
  private places: Map<string, number> | null = null;

  /** Whether there was room for it. */
  add(issueId: string, target: TargetCreate): boolean {
    const known = this.placeOf(target.targetUid);
    if (known === undefined && this.rows.length >= maxTargets) return false;
    const place = known ?? this.rows.length;
    this.rows[place] = toTargetRow(issueId, target);
    this.places?.set(target.targetUid, place);
    return true;
  }

  private placeOf(uid: string): number | undefined {
    if (this.rows.length < fewTargets) {
      const place = this.rows.findIndex(({ target_uid }) => target_uid === uid);
      return place < 0 ? undefined : place;
    }
    this.places ??= new Map(this.rows.map(({ target_uid }, place) => [target_uid, place]));
    return this.places.get(uid);
  }
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
    rule_digest: finding.ruleDigest ?? null,
    detail: finding.detail ?? null,
  };
}

/**
 * Merges a later finding of the same identity into its row: severity, context and details are the later ones, and the row is open
 * where either finding is.
 */
function merge(row: FindingRow, finding: Finding): void {
  const { name, fullName, severity, context, status = 'OPEN', detail, ruleDigest } = finding;
  if (fullName === undefined && row.full_name === defaultFullName(row.name, row.severity)) {
    row.full_name = defaultFullName(name, severity);
  }
  row.severity = severity;
  if (context !== '') row.context = context;
  if (status === 'OPEN') row.status = status;
  if (detail !== undefined) row.detail = detail;
  if (ruleDigest !== undefined) row.rule_digest = ruleDigest;
}

/** An identity that an issue may have, and the one that it has from now on. */
export interface Renaming {
  former: string;
  identity: string;
}

/** A row with its targets. */
export interface LocatedRow {
  row: FindingRow;
  targets: TargetRow[];
}

/** A row with its targets, and as JSON, which the statements take. */
export interface EncodedRow extends LocatedRow {
  rowJson: string;
  /** Separated by commas. */
  targetsJson: string;
}

/** Findings as rows. */
export interface FindingRows {
  /** One for each identity, in their order. */
  rows: EncodedRow[];
  /** For each finding, its row. */
  rowOf: FindingRow[];
  /** As what they may be known, the likeliest first. */
  renamings: Renaming[];
  /** The number of targets beyond the most that an issue keeps. */
  targetsCut: number;
}

/** A row as the statements take it. */
export function encode({ row, targets }: LocatedRow): EncodedRow {
  const targetsJson =
    targets.length === 1 ? JSON.stringify(targets[0]) : targets.map((one) => JSON.stringify(one)).join(',');
  const { detail, ...rest } = row;
  const rowJson = `${JSON.stringify(rest).slice(0, -1)},"detail":${detail ?? 'null'}}`;
  return { row, targets, rowJson, targetsJson };
}

/** Makes rows of findings, which may come in several parts. */
export class FindingRowsBuilder {
  private readonly byIdentity = new Map<string, { row: FindingRow; targets: RowTargets }>();
  private readonly rowOf: FindingRow[] = [];
  private readonly renamings: Renaming[] = [];
  private targetsCut = 0;

  add(finding: Finding): void {
    const identity = identityOf(finding);
    const known = this.byIdentity.get(identity);
    if (known) merge(known.row, finding);
    const entry = known ?? { row: toRow(finding, identity), targets: new RowTargets() };
    if (!known) this.byIdentity.set(identity, entry);
    if (!known) this.noteFormer(finding, identity);
    for (const target of finding.targets) if (!entry.targets.add(entry.row.id, target)) this.targetsCut++;
    this.rowOf.push(entry.row);
  }

  /** The rows of all findings so far, by identity; `encode` turns each into the form that the statements take. */
  get rows(): LocatedRow[] {
    return [...this.byIdentity.values()]
      .sort(({ row: one }, { row: other }) => (one.identity < other.identity ? -1 : 1))
      .map(({ row, targets }) => ({ row, targets: targets.rows }));
  }

  /** The encoded rows with all that is known of the findings. */
  with(rows: EncodedRow[]): FindingRows {
    return { rows, rowOf: this.rowOf, renamings: this.needed(), targetsCut: this.targetsCut };
  }

  /** A finding that is still known as before keeps its issue. */
  private needed(): Renaming[] {
    return this.renamings.filter(({ former }) => !this.byIdentity.has(former));
  }

  private noteFormer({ assetId, name, formerly = [] }: Finding, identity: string): void {
    for (const parts of formerly) {
      const former = identityOf({ assetId, name, ...parts });
      if (former !== identity) this.renamings.push({ former, identity });
    }
  }
}

/** Makes rows of findings at once. */
export function toRows(findings: Finding[]): FindingRows {
  const builder = new FindingRowsBuilder();
  for (const finding of findings) builder.add(finding);
  return builder.with(builder.rows.map(encode));
}
