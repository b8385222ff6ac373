import { Injectable } from '@nestjs/common';
import { BranchesService } from '../branches/branches.service.js';
import { IssueBranchesService } from '../issues/issue-branches.service.js';
import type { OpenIssue } from '../issues/issue-resolutions.repository.js';
import { IssueResolutionsService } from '../issues/issue-resolutions.service.js';
import { type IssueSeverity, issueSeverities } from '../vocabulary.js';
import { ImportPagesService } from './import-pages.service.js';
import {
  type Comparison,
  type ImportOutcomes,
  ImportOutcomesRepository,
  type OutcomeGroup,
} from './import-outcomes.repository.js';
import type { ImportQuery } from './import-query.dto.js';
import type { ImportResult, OutcomesBySeverity, RuleOutcomes, SeverityCounts, ToolOutcome } from './reports.dto.js';
import { scopeOf } from './report-scope.js';
import type { ScanReportEntity } from './scan-report.entity.js';

/** The facts about a tool's part of an import once all of its findings are written. */
export interface WrittenTool {
  scanId: string;
  assetIds: string[];
  tool: string;
  category: string;
  /** Why it did not run or finish; null if it did. */
  notRun: string | null;
  /** The reason why the report lacks some of the tool's findings; null if it has all. */
  partial: string | null;
  /** The identities of issues that the report says are no longer there. */
  absent: string[];
  /** The branch on each of its assets; none without a branch. */
  branchIds: string[];
}

/** The facts about an import once all of its findings are written. */
export interface WrittenImport {
  organizationId: string;
  assetIds: string[];
  tools: [WrittenTool, ...WrittenTool[]];
  createdIds: Set<string>;
  reopenedIds: Set<string>;
  /** Open issues that only the report of an old commit has. */
  stale: OpenIssue[];
}

export type OutcomeFields = Pick<
  ImportResult,
  | 'tool'
  | 'category'
  | 'branch'
  | 'bySeverity'
  | 'byRule'
  | 'createdIds'
  | 'issues'
  | 'listed'
  | 'resolved'
  | 'goneUnknown'
  | 'notRun'
  | 'tools'
>;

// Unspecified: how many outcomes of issues an answer lists; it counts all.
const most = { createdIds: 1_000, issues: { all: 200, ofSeverity: 20 }, rules: 1_000, branches: 100 } as const;

/** Compares an import with the earlier ones of its tool, asset and branch. */
@Injectable()
export class ImportOutcomesService {
  constructor(
    private readonly repository: ImportOutcomesRepository,
    private readonly resolutions: IssueResolutionsService,
    private readonly branches: BranchesService,
    private readonly issueBranches: IssueBranchesService,
    private readonly pages: ImportPagesService,
  ) {}

  /**
   * Records the report of each tool, finds the issues that are gone by it, and resolves those where the query says so;
   * returns the corresponding fields of the answer, and the resolved issues.
   */
  async conclude(
    written: WrittenImport,
    query: ImportQuery,
  ): Promise<{ fields: OutcomeFields; resolvedIds: string[] }> {
    const { organizationId, createdIds } = written;
    const { branch } = query;
    await this.repository.countAnew();
    const defaults = await this.branches.defaultNames(written.assetIds);
    const scanIds = written.tools.map(({ scanId }) => scanId);
    const branchIds = [...new Set(written.tools.flatMap((tool) => tool.branchIds))];
    const compared = { organizationId, scanIds, branch: branch ?? '', assetIds: written.assetIds, branchIds, defaults };
    const staleIds = await this.endStale(written);
    const tools: ComparedTool[] = [];
    // A report has few tools, and each is compared with its own reports.
    for (const tool of written.tools) tools.push(await this.compare(tool, compared, query));
    const goneIds = [...new Set(tools.flatMap((tool) => tool.goneIds))];
    const ids = { ...written, goneIds };
    const { groups, issues, setAside, bases } = await this.repository.outcomes(compared, ids, most.issues);
    const listed = query.list && (await this.pages.keep(compared, ids));
    const [first] = tools;
    if (!first) throw new Error('A report has at least one tool');
    const fields = {
      tool: first.report.tool,
      category: first.report.category || null,
      branch: branch ?? null,
      bySeverity: bySeverity(groups, setAside),
      byRule: byRule(groups).slice(0, most.rules),
      createdIds: [...createdIds].slice(0, most.createdIds),
      issues,
      listed,
      resolved: tools.reduce((sum, { resolvedIds }) => sum + resolvedIds.length, 0),
      goneUnknown: reasonsOf(tools, ({ written: { partial } }) => partial),
      notRun: reasonsOf(tools, ({ written: { notRun } }) => notRun),
      tools: tools.map((tool) => toToolOutcome(tool, bases)),
    };
    return { fields, resolvedIds: [...staleIds, ...tools.flatMap(({ resolvedIds }) => resolvedIds)] };
  }

  /** What only an old commit has is resolved: a newer one was scanned before and lacks it. */
  private endStale({ organizationId, stale }: WrittenImport): Promise<string[]> {
    return this.resolutions.resolve(organizationId, stale, 'The report of a newer commit does not have it');
  }

  private async compare(written: WrittenTool, whole: Comparison, query: ImportQuery): Promise<ComparedTool> {
    const { branchIds, absent } = written;
    const compared = { ...whole, assetIds: written.assetIds, branchIds };
    const report = toScanReport(written, whole.organizationId, query);
    await this.repository.record(report);
    const isFirst = !(await this.repository.hadReport(report, compared));
    // An incomplete report proves nothing gone.
    if (report.isWhole) await this.issueBranches.recall(whole.organizationId, branchIds, absent);
    const left = report.isWhole ? await this.repository.gone(report, compared, absent) : [];
    await this.issueBranches.leave(
      branchIds,
      left.map(({ id }) => id),
    );
    const gone = left.filter(({ isGone }) => isGone);
    const resolvedIds = query.resolveGone
      ? await this.resolutions.resolve(whole.organizationId, gone, reasonOf(report))
      : [];
    return { written, report, isFirst, goneIds: gone.map(({ id }) => id), resolvedIds };
  }
}

/** A tool's part of an import, compared with its earlier reports. */
interface ComparedTool {
  written: WrittenTool;
  report: ScanReportEntity;
  isFirst: boolean;
  goneIds: string[];
  resolvedIds: string[];
}

/** The reasons of the tools that have one, each with the tool where there are several. */
function reasonsOf(tools: ComparedTool[], of: (tool: ComparedTool) => string | null): string | null {
  const reasons = tools.flatMap((tool) => {
    const reason = of(tool);
    if (reason === null) return [];
    return tools.length === 1 ? [reason] : [`${tool.report.tool}: ${reason}`];
  });
  return reasons.length === 0 ? null : [...new Set(reasons)].join('; ');
}

function toToolOutcome(
  { written: { notRun, partial }, report, isFirst, goneIds }: ComparedTool,
  bases: { tool: string; branch: string }[],
): ToolOutcome {
  const { tool, category, scanId } = report;
  return {
    tool,
    category: category || null,
    scanId,
    notRun,
    goneUnknown: partial,
    gone: goneIds.length,
    first: isFirst,
    comparedWith: bases.flatMap((base) => (base.tool === tool ? base.branch : [])).slice(0, most.branches),
  };
}

function toScanReport(
  { scanId, tool, category: ofReport, partial }: WrittenTool,
  organizationId: string,
  { branch = '', commit: commitId = '', committedAt: time, category: given }: ImportQuery,
): ScanReportEntity {
  const { scope, category } = scopeOf(tool, given, ofReport, branch);
  const committedAt = time === undefined ? null : new Date(time);
  return { scanId, organizationId, scope, tool, category, branch, commitId, committedAt, isWhole: partial === null };
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
