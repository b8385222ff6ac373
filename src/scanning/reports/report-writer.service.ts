import { Injectable } from '@nestjs/common';
import { AssetsService, type FoundAsset } from '../assets/assets.service.js';
import { maxTargets } from '../issues/finding-rows.js';
import { IssueAppendsService } from '../issues/issue-appends.service.js';
import type { ResourceScan } from '../scans/scans.dto.js';
import { ScansService } from '../scans/scans.service.js';
import type { ScanKind } from '../vocabulary.js';
import type { AssetCollection } from './asset-collection.js';
import { FindingsWriterService, type Totals } from './findings-writer.service.js';
import { ImportOutcomesService, type WrittenTool } from './import-outcomes.service.js';
import { notRun } from './report-events.js';
import type { Report, ReportTool } from './report-finding.js';
import type { SpooledFindings } from './spooled-findings.js';
import { ReportsRepository } from './reports.repository.js';
import type { ImportQuery } from './import-query.dto.js';
import type { ImportResult } from './reports.dto.js';

// Unspecified: how many uris of assets an answer lists.
const mostUris = 1_000;

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
    await this.repository.lockAssets(organizationId, assetIds);
    const scans = await this.createScans(plan, findings, assets);
    const contexts = scans.map(({ scan: { id }, tool, assetIds: own }) => ({
      id,
      organizationId,
      profileId: tool.profileId,
      assetIds: own,
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
      updatedIds: [...totals.updatedIds, ...resolvedIds],
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
    { tools, organizationId, kind, assets: planned }: ImportPlan,
    findings: SpooledFindings,
    assets: Map<string, FoundAsset>,
  ): Promise<CreatedScan[]> {
    const scans: CreatedScan[] = [];
    for (const [at, tool] of tools.entries()) {
      const uris = findings.urisOf(at, planned);
      const own = [...assets].filter(([uri]) => uris === 'all' || uris.has(uri));
      const assetIds = own.map(([, { id }]) => id);
      const status = tool.failures.length > 0 ? ('FAILED' as const) : ('FINISHED' as const);
      const scan = await this.scans.create(organizationId, { applicationId: tool.profileId, kind, assetIds, status });
      scans.push({ scan, tool, assetIds });
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
}

type CountedFindings = Pick<
  ImportResult,
  'findings' | 'created' | 'seen' | 'targets' | 'events' | 'skipped' | 'skippedCount' | 'cut' | 'cutCount'
>;

function toWritten(
  { scan, tool, assetIds }: CreatedScan,
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
    partial: partialReason(tool, plan, findings.unreadOf(at)),
    absent: findings.absent.identities(at, (uri) => assets.get(uri)?.id),
  };
}

/** The reason why the report lacks some of the tool's findings; null if it has all. */
function partialReason(tool: ReportTool, { unread }: ImportPlan, unreadFindings: number): string | null {
  if (tool.failures.length > 0) return `${tool.name} did not finish`;
  if (tool.silence !== null) return tool.silence;
  if (unreadFindings > 0) return `${unreadFindings} findings could not be read: see skipped`;
  return unread.length > 0 ? 'A part of the report was not read: see cut' : null;
}
