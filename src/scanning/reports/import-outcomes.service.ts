import { Injectable } from '@nestjs/common';
import type { UuidSet } from '../../common/memory/uuid-set.js';
import { sha256 } from '../../common/crypto/digests.js';
import { IssueResolutionsService } from '../issues/issue-resolutions.service.js';
import { type IssueSeverity, issueSeverities } from '../vocabulary.js';
import { type ImportOutcomes, ImportOutcomesRepository, type OutcomeGroup } from './import-outcomes.repository.js';
import type { ImportQuery, ImportResult, OutcomesBySeverity, RuleOutcomes, SeverityCounts } from './reports.shapes.js';
import type { ScanReportEntity } from './scan-report.entity.js';

/** The facts about an import once all of its findings are written. */
export interface WrittenImport {
  organizationId: string;
  scanId: string;
  assetIds: string[];
  tool: string;
  category: string;
  /** The reason why the report lacks some of the tool's findings; null where it has all. */
  partial: string | null;
  /** The identities of issues that the report says are no longer there. */
  absent: string[];
  createdIds: UuidSet;
  reopenedIds: UuidSet;
}

export type OutcomeFields = Pick<
  ImportResult,
  'tool' | 'category' | 'branch' | 'bySeverity' | 'byRule' | 'createdIds' | 'issues' | 'resolved' | 'goneUnknown'
>;

// Unspecified: how many outcomes of issues an answer lists; it counts all.
const most = { createdIds: 1_000, issues: { all: 200, ofSeverity: 20 }, rules: 1_000 } as const;

// Unspecified: which branch others are merged into, where the caller does not say.
export const usualDefaults = ['main', 'master', 'trunk'] as const;

/** Compares an import with the earlier ones of its tool, asset and branch. */
@Injectable()
export class ImportOutcomesService {
  constructor(
    private readonly repository: ImportOutcomesRepository,
    private readonly resolutions: IssueResolutionsService,
  ) {}

  /**
   * Records the scan's report, finds the issues that are gone by it, and resolves those where the query says so; returns the
   * corresponding fields of the answer, and the resolved issues.
   */
  async conclude(
    written: WrittenImport,
    query: ImportQuery,
  ): Promise<{ fields: OutcomeFields; resolvedIds: string[] }> {
    const { organizationId, createdIds } = written;
    const { branch, defaultBranch, resolveGone } = query;
    const report = toScanReport(written, query);
    await this.repository.record(report);
    const defaults = defaultBranch === undefined ? usualDefaults : [defaultBranch];
    const compared = { assetIds: written.assetIds, defaults };
    // An incomplete report proves nothing gone.
    const gone = report.isWhole ? await this.repository.gone(report, compared, written.absent) : [];
    const resolvedIds = resolveGone ? await this.resolutions.resolve(organizationId, gone, reasonOf(report)) : [];
    const ids = { ...written, goneIds: gone.map(({ id }) => id) };
    const { groups, issues, setAside } = await this.repository.outcomes(report, compared, ids, most.issues);
    const fields = {
      tool: report.tool,
      category: report.category || null,
      branch: branch ?? null,
      bySeverity: bySeverity(groups, setAside),
      byRule: byRule(groups).slice(0, most.rules),
      createdIds: createdIds.first(most.createdIds),
      issues,
      resolved: resolvedIds.length,
      goneUnknown: written.partial,
    };
    return { fields, resolvedIds };
  }
}

function toScanReport(
  { organizationId, scanId, tool, category: ofReport, partial }: WrittenImport,
  { branch = '', commit: commitId = '', category: given }: ImportQuery,
): ScanReportEntity {
  // `front/` as SARIF ends a category, and GitHub's `category: front`, are one.
  const category = given?.replace(/\/$/, '') || ofReport;
  const scope = sha256(JSON.stringify([tool, category, branch]));
  return { scanId, organizationId, scope, tool, category, branch, commitId, isWhole: partial === null };
}

function reasonOf({ tool, category, branch, commitId }: ScanReportEntity): string {
  const of = category === '' ? tool : `${tool} (${category})`;
  const where = [branch === '' ? '' : ` of ${branch}`, commitId === '' ? '' : ` at ${commitId}`].join('');
  return `No longer in the report of ${of}${where}`;
}

function zero(): SeverityCounts {
  return { CRITICAL: 0, HIGH: 0, MEDIUM: 0, LOW: 0, INFO: 0 };
}

const nameOf = { CREATED: 'created', SEEN: 'seen', REOPENED: 'reopened', GONE: 'gone' } as const;

function bySeverity(groups: OutcomeGroup[], setAside: ImportOutcomes['setAside']): OutcomesBySeverity {
  const counts = { created: zero(), seen: zero(), unmerged: zero(), reopened: zero(), gone: zero(), setAside: zero() };
  for (const { severity, count } of setAside) counts.setAside[severity] += count;
  for (const { outcome, severity, count, unmerged } of groups) {
    counts[nameOf[outcome]][severity] += count;
    counts.unmerged[severity] += unmerged;
  }
  return counts;
}

function byRule(groups: OutcomeGroup[]): RuleOutcomes[] {
  const rules = new Map<string, RuleOutcomes>();
  for (const { outcome, severity, rule, count, unmerged } of groups) {
    const key = `${severity} ${rule}`;
    const known = rules.get(key) ?? { rule, severity, created: 0, seen: 0, unmerged: 0, reopened: 0, gone: 0 };
    known[nameOf[outcome]] += count;
    known.unmerged += unmerged;
    rules.set(key, known);
  }
  const rank = (severity: IssueSeverity) => issueSeverities.indexOf(severity);
  return [...rules.values()].sort((one, other) => rank(one.severity) - rank(other.severity));
}
