import { Injectable } from '@nestjs/common';
import { NotFound } from '../../platform/errors/errors.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { TriggersService } from '../triggers/triggers.service.js';
import type { ScanContext } from '../scans/scan-context.js';
import { type EncodedRow, type Finding, type FindingRow, type FindingRows, toRows } from './finding-rows.js';
import type { KnownRule } from './finding-detail.js';
import { IssueDetailsRepository } from './issue-details.repository.js';
import { IssueActivitiesRepository, type NewActivity, systemActor } from './issue-activities.repository.js';
import { type FoundAgain, IssueAppendsRepository, type MadeIssue } from './issue-appends.repository.js';
import type { AppendedIssue } from './issue-append.dto.js';
import { IssueTargetsRepository } from './issue-targets.repository.js';

/** The outcome of findings. */
export interface AppendedFindings {
  /** In the order of the findings. */
  issues: AppendedIssue[];
  /** New issues. */
  createdIds: string[];
  /** The issues that NEW_ISSUE announces: all but those that the scanner itself sets aside. */
  announcedIds: string[];
  /** Existing issues whose status or severity changed. */
  updatedIds: string[];
  /** The ones among them that were closed and are open again. */
  reopenedIds: string[];
  /** Who is assigned the new issues. */
  assigneeIds: string[];
  /** Open issues that the scan of an old commit found: nothing says that they are still there. */
  staleIds: string[];
  /** The number of targets beyond the most that an issue keeps (`maxTargets`). */
  targetsCut: number;
}

/** The outcome of some rows. */
interface WrittenPart {
  created: MadeIssue[];
  again: FoundAgain[];
  targetsCut: number;
}

const rowsPerStatement = 2_000;

/** Turns the findings of a scan into issues, new or existing. */
@Injectable()
export class IssueAppendsService {
  constructor(
    private readonly repository: IssueAppendsRepository,
    private readonly targets: IssueTargetsRepository,
    private readonly activities: IssueActivitiesRepository,
    private readonly details: IssueDetailsRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly triggers: TriggersService,
  ) {}

  /** Appends findings and records their triggers. `NotFound` for an asset of another organization. */
  append(scan: ScanContext, findings: Finding[]): Promise<AppendedFindings> {
    return this.unitOfWork.run(async () => {
      await this.assertAssets(scan.organizationId, findings);
      const appended = await this.write(scan, toRows(findings));
      await this.announce(scan.organizationId, appended);
      return appended;
    });
  }

  /**
   * Appends a part of a scan's findings, in the current unit of work, which ends with one `announce` for all parts,
   * so that a workflow runs once for all of them. The caller has checked that their assets are the organization's.
   */
  async write(scan: ScanContext, { rows, rowOf, renamings, targetsCut }: FindingRows): Promise<AppendedFindings> {
    const created = new Set<string>();
    const assigneeIds = new Set<string>();
    const updated: FoundAgain[] = [];
    const idOf = new Map<string, string>();
    let cut = targetsCut;
    await this.repository.rename(scan.organizationId, renamings, rows);
    for (let from = 0; from < rows.length; from += rowsPerStatement) {
      const part = await this.writePart(scan, rows.slice(from, from + rowsPerStatement));
      for (const { identity, id, assigneeId } of part.created) {
        idOf.set(identity, id);
        created.add(id);
        if (assigneeId !== null) assigneeIds.add(assigneeId);
      }
      for (const issue of part.again) idOf.set(issue.identity, issue.id);
      updated.push(...part.again.filter((issue) => issue.arrives || isChanged(issue)));
      cut += part.targetsCut;
    }
    const old = new Set(lateAssets(scan));
    const open = rows.filter(({ row }) => row.status === 'OPEN' && created.has(idOf.get(row.identity) ?? ''));
    const isStale = ({ row }: EncodedRow) => old.has(row.asset_id.toLowerCase());
    const ids = (some: EncodedRow[]) => some.flatMap(({ row }) => idOf.get(row.identity) ?? []);
    const arrived = updated.filter(({ arrives, status }) => arrives && status === 'OPEN');
    return {
      issues: resultsOf(rowOf, idOf, created),
      createdIds: [...created],
      assigneeIds: [...assigneeIds],
      announcedIds: [
        ...ids(open.filter((row) => !isStale(row))),
        ...arrived.flatMap(({ id, late }) => (late ? [] : id)),
      ],
      staleIds: [...ids(open.filter(isStale)), ...arrived.flatMap(({ id, late }) => (late ? id : []))],
      updatedIds: updated.filter(isChanged).map(({ id }) => id),
      reopenedIds: updated.filter(isReopened).map(({ id }) => id),
      targetsCut: cut,
    };
  }

  /**
   * Keeps the rules that findings name, at the end of the unit of work, since imports of the same rules wait for each
   * other.
   */
  async keepRules(organizationId: string, rules: KnownRule[]): Promise<void> {
    if (rules.length > 0) await this.details.keepRules(organizationId, rules);
  }

  /**
   * Records the triggers of appended findings: one for all new issues, one for all changed ones. Who was assigned new ones and
   * has left since is taken off them: this ends the unit of work, so that whoever leaves now waits for its commit alone.
   */
  async announce(
    organizationId: string,
    changes: Pick<AppendedFindings, 'announcedIds' | 'updatedIds' | 'assigneeIds'>,
  ): Promise<void> {
    await this.triggers.record({ organizationId, type: 'NEW_ISSUE', subjectIds: changes.announcedIds });
    await this.triggers.record({ organizationId, type: 'ISSUE_UPDATED', subjectIds: changes.updatedIds });
    if (changes.assigneeIds.length > 0) await this.unassignLeavers(organizationId, changes.assigneeIds);
  }

  private async unassignLeavers(organizationId: string, userIds: string[]): Promise<void> {
    const members = new Set(await this.repository.members(organizationId, userIds));
    const gone = userIds.filter((id) => !members.has(id));
    if (gone.length > 0) await this.repository.unassignNew(organizationId, gone);
  }

  /** `NotFound` for an asset of another organization. */
  async assertAssets(organizationId: string, findings: Finding[]): Promise<void> {
    const assetIds = [...new Set(findings.map(({ assetId }) => assetId.toLowerCase()))];
    const foreign = await this.repository.foreignAsset(organizationId, assetIds);
    if (foreign === null) return;
    const index = findings.findIndex(({ assetId }) => assetId.toLowerCase() === foreign);
    throw new NotFound(`Asset ${foreign} not found: element ${index} names it, but the organization has no such asset`);
  }

  private async writePart(scan: ScanContext, rows: EncodedRow[]): Promise<WrittenPart> {
    const part = await this.writeKnown(scan, rows);
    const ids = new Set([...part.created, ...part.again].map(({ identity }) => identity));
    const removed = rows.filter(({ row }) => !ids.has(row.identity));
    if (removed.length === 0) return part;
    // The retention removed these between the two statements: now they are new.
    const rest = await this.writePart(scan, removed);
    return {
      created: [...part.created, ...rest.created],
      again: [...part.again, ...rest.again],
      targetsCut: part.targetsCut + rest.targetsCut,
    };
  }

  private async writeKnown(scan: ScanContext, rows: EncodedRow[]): Promise<WrittenPart> {
    const { id: scanId, organizationId } = scan;
    const created = await this.repository.insertNew(scan, rows);
    const made = new Set(created.map(({ identity }) => identity));
    const known = rows.filter(({ row }) => !made.has(row.identity));
    const again = known.length > 0 ? await this.repository.followNewest(scan, known) : [];
    if (again.length === 0) return { created, again, targetsCut: 0 };
    const ids = again.map(({ id }) => id);
    await this.repository.joinScan(scanId, ids);
    const idOf = new Map(again.flatMap(({ identity, id, leads }) => (leads ? [[identity, id]] : [])));
    const placed = known.flatMap(({ row, targets }) => {
      const issueId = idOf.get(row.identity);
      return issueId === undefined ? [] : [{ issueId, targets }];
    });
    await this.details.follow(known.flatMap(({ row }) => detailOf(row, idOf.get(row.identity))));
    const { cut, changed } = await this.targets.join(organizationId, scanId, placed);
    await this.activities.insert(organizationId, systemActor, again.flatMap(changesOf));
    const otherContext = again.filter(({ contextKept }) => contextKept).map(({ id }) => id);
    await this.activities.forgetOld([...new Set([...otherContext, ...changed])]);
    return { created, again, targetsCut: cut };
  }
}

function lateAssets({ sightings = [] }: ScanContext): string[] {
  return sightings.flatMap(({ assetId, late }) => (late ? assetId : []));
}

/** The row of `issue_details` of a known issue, as JSON; none where no report says anything. */
function detailOf({ rule_digest: digest, detail }: FindingRow, issueId: string | undefined): string[] {
  if (detail === null || issueId === undefined) return [];
  return [`{"issue_id":"${issueId}","rule_digest":${JSON.stringify(digest)},"detail":${detail}}`];
}

function isChanged(issue: FoundAgain): boolean {
  return issue.status !== issue.statusBefore || issue.severity !== issue.severityBefore;
}

function isReopened({ status, statusBefore }: FoundAgain): boolean {
  return status === 'OPEN' && statusBefore !== 'OPEN';
}

function changesOf({ id, status, statusBefore, severity, severityBefore }: FoundAgain): NewActivity[] {
  const all: NewActivity[] = [
    { issueId: id, kind: 'STATUS', from: statusBefore, to: status },
    { issueId: id, kind: 'SEVERITY', from: severityBefore, to: severity },
  ];
  return all.filter(({ from, to }) => from !== to);
}

/** Where findings of one part share an issue, only the first counts as new. */
function resultsOf(rowOf: FindingRow[], idOf: Map<string, string>, created: Set<string>): AppendedIssue[] {
  const reported = new Set<string>();
  return rowOf.map(({ identity }) => {
    const id = idOf.get(identity) ?? '';
    const isNew = created.has(id) && !reported.has(id);
    reported.add(id);
    return { id, created: isNew };
  });
}
