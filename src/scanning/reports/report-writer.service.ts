import { Injectable } from '@nestjs/common';
import { AssetsService, type FoundAsset } from '../assets/assets.service.js';
import { maxTargets } from '../issues/finding-rows.js';
import { IssueAppendsService } from '../issues/issue-appends.service.js';
import type { ResourceScan } from '../scans/scans.dto.js';
import type { Sighting } from '../scans/scan-context.js';
import { ScansService } from '../scans/scans.service.js';
import type { ScanKind } from '../vocabulary.js';
import type { AssetCollection } from './asset-collection.js';
import { FindingsWriterService, type Totals } from './findings-writer.service.js';
import { ImportOutcomesService, type WrittenTool } from './import-outcomes.service.js';
import { notRun } from './report-events.js';
import type { Report, ReportTool } from './report-finding.js';
import type { SpooledFindings } from './spooled-findings.js';
import { ReportBranchesService } from './report-branches.service.js';
import { ReportsRepository } from './reports.repository.js';
import { shortened } from './report-text.js';
import type { ImportQuery } from './import-query.dto.js';
import type { ImportResult } from './reports.dto.js';

// Unspecified: how many uris of assets an answer lists.
const mostUris = 1_000;

// Unspecified: how much of the reason of a failure its scan keeps; an event of it has all.
const longestReason = 1_000;

/** A tool of the report, with the profile of its scan. */
export interface PlannedTool extends ReportTool {
  profileId: string;
}

/** The input of an import's writing. */
export interface ImportPlan extends Pick<Report, 'bracketed' | 'unread' | 'count' | 'remarks' | 'rules'> {
  tools: PlannedTool[];
  /** The assets of all findings. */
  assets: AssetCollection;
  organizationId: string;
  kind: ScanKind;
  query: ImportQuery;
}

/** Writes the content of a report: one scan, its assets, issues, targets and events. */
@Injectable()
export class ReportWriterService {
  constructor(
    private readonly repository: ReportsRepository,
    private readonly assets: AssetsService,
    private readonly scans: ScansService,
    private readonly findings: FindingsWriterService,
    private readonly issues: IssueAppendsService,
    private readonly outcomes: ImportOutcomesService,
    private readonly branches: ReportBranchesService,
  ) {}

  /**
   * Writes a completed scan of each tool with all of its findings in the current unit of work, while they may still be
   * read; its triggers fire once for the whole report. `NotAsExpected` as `batches` of the findings; throws what
   * reading them throws.
   */
  async write(plan: ImportPlan, findings: SpooledFindings): Promise<ImportResult> {
    const { organizationId } = plan;
    const { wanted, known } = plan.assets;
    const assets = await this.assets.findOrCreate(organizationId, wanted);
    for (const [uri, id] of known) assets.set(uri, { id, created: false });
    const assetIds = [...assets.values()].map(({ id }) => id);
    await this.branches.lockAssets(organizationId, assetIds);
    const assetsOfTools = plan.tools.map((_, at) => {
      const uris = findings.urisOf(at, plan.assets);
      return [...assets].flatMap(([uri, { id }]) => (uris === 'all' || uris.has(uri) ? id : []));
    });
    const branch = await this.branches.of(
      organizationId,
      plan.query,
      plan.tools.map(({ name, category }, at) => ({ name, category, assetIds: assetsOfTools[at] ?? [] })),
    );
    const scans = await this.createScans(plan, assetsOfTools, branch.sightings);
    const contexts = scans.map(({ scan: { id }, tool, assetIds: own, sightings }) => ({
      id,
      organizationId,
      profileId: tool.profileId,
      assetIds: own,
      sightings,
      tool: tool.name || null,
    }));
    const totals = await this.findings.write(contexts, plan, findings, assets);
    await this.issues.keepRules(organizationId, plan.rules.of(totals.ruleDigests));
    const [first, ...others] = scans.map((scan, at) => toWritten(scan, at, plan, findings, assets));
    const scan = scans[0]?.scan;
    if (!first || !scan) throw new Error('A report has at least one tool');
    const written = {
      ...totals,
      organizationId,
      assetIds,
      tools: [first, ...others] as [WrittenTool, ...WrittenTool[]],
    };
    const { fields, resolvedIds } = await this.outcomes.conclude(written, plan.query);
    await this.issues.announce(organizationId, {
      announcedIds: [...totals.announcedIds],
      assigneeIds: [...totals.assigneeIds],
      updatedIds: [...new Set([...branch.movedIds, ...totals.updatedIds, ...resolvedIds])],
    });
    const { notKept, absolutePaths, absolutePathCount, ruleCuts } = plan.remarks;
    const result = await this.resultOf(scans, findings, totals, ruleCuts);
    return {
      ...result,
      ...fields,
      scan,
      assetUris: [...assets.keys()].slice(0, mostUris),
      dryRun: plan.query.dryRun,
      notKept,
      absolutePaths,
      absolutePathCount,
    };
  }

  private async createScans(
    { tools, organizationId, kind, query }: ImportPlan,
    assetsOfTools: string[][],
    sightingsOfTools: Sighting[][],
  ): Promise<CreatedScan[]> {
    const { branch = null, commit = null, pullRequest = null } = query;
    const scans: CreatedScan[] = [];
    for (const [at, tool] of tools.entries()) {
      const assetIds = assetsOfTools[at] ?? [];
      const sightings = sightingsOfTools[at] ?? [];
      const sources = {
        branch,
        commit,
        pullRequest,
        tool: tool.name,
        toolVersion: tool.version || null,
        failureReason: tool.failures.length > 0 ? shortened(notRun(tool) ?? '', longestReason) : null,
        branchOnly: sightings.length > 0 && sightings.every(({ decides }) => !decides),
      };
      const status = tool.failures.length > 0 ? ('FAILED' as const) : ('FINISHED' as const);
      const planned = { applicationId: tool.profileId, kind, assetIds, status };
      scans.push({ scan: await this.scans.create(organizationId, planned, sources), tool, assetIds, sightings });
    }
    return scans;
  }

  private async resultOf(
    scans: CreatedScan[],
    findings: SpooledFindings,
    totals: Totals,
    ruleCuts: string[],
  ): Promise<CountedFindings> {
    const { cut } = findings;
    const ofRules = ruleCuts.map((reason) => ({ index: null, reason }));
    const { targetsCut } = totals;
    const targets = {
      index: null,
      reason: `${targetsCut} targets were dropped, since an issue keeps at most ${maxTargets}`,
    };
    const wholes = [...(targetsCut > 0 ? [targets] : []), ...ofRules];
    return {
      findings: findings.findings,
      created: totals.createdIds.size,
      seen: totals.seen,
      targets: await this.repository.targetsOf(scans.map(({ scan }) => scan.id)),
      events: totals.events,
      skipped: findings.skipped.named,
      skippedCount: findings.skipped.count,
      cut: [...wholes, ...cut.named],
      cutCount: cut.count + wholes.length,
    };
  }
}

/** The scan of a tool. */
interface CreatedScan {
  scan: ResourceScan;
  tool: PlannedTool;
  assetIds: string[];
  sightings: Sighting[];
}

type CountedFindings = Pick<
  ImportResult,
  'findings' | 'created' | 'seen' | 'targets' | 'events' | 'skipped' | 'skippedCount' | 'cut' | 'cutCount'
>;

function toWritten(
  { scan, tool, assetIds, sightings }: CreatedScan,
  at: number,
  plan: ImportPlan,
  findings: SpooledFindings,
  assets: Map<string, FoundAsset>,
): WrittenTool {
  return {
    scanId: scan.id,
    assetIds,
    tool: tool.name,
    category: tool.category,
    notRun: notRun(tool),
    partial: partialReason(tool, plan, findings.unreadOf(at), sightings),
    branchIds: sightings.flatMap(({ branchId }) => branchId ?? []),
    absent: findings.absent.identities(at, (uri) => assets.get(uri)?.id),
  };
}

/** The reason why the report lacks some of the tool's findings; null if it has all. */
function partialReason(
  tool: ReportTool,
  { unread }: ImportPlan,
  unreadFindings: number,
  sightings: Sighting[],
): string | null {
  if (tool.failures.length > 0) return `${tool.name} did not finish`;
  if (tool.silence !== null) return tool.silence;
  if (unreadFindings > 0) return `${unreadFindings} findings could not be read: see skipped`;
  if (sightings.some(({ late }) => late)) return 'A newer commit was imported before: this report is an old one';
  return unread.length > 0 ? 'A part of the report was not read: see cut' : null;
}
