import { Injectable } from '@nestjs/common';
import { AssetsService } from '../assets/assets.service.js';
import { maxTargets } from '../issues/finding-rows.js';
import { IssueAppendsService } from '../issues/issue-appends.service.js';
import type { ResourceScan } from '../scans/scans.shapes.js';
import { ScansService } from '../scans/scans.service.js';
import type { ScanKind } from '../vocabulary.js';
import type { AssetCollection } from './asset-collection.js';
import { FindingsWriterService, type Totals } from './findings-writer.service.js';
import { ImportOutcomesService, type OutcomeFields } from './import-outcomes.service.js';
import type { Report } from './report-finding.js';
import type { SpooledFindings } from './spooled-findings.js';
import { ReportsRepository } from './reports.repository.js';
import type { ImportQuery, ImportResult } from './reports.shapes.js';

// Unspecified: how many uris of assets an answer lists.
const mostUris = 1_000;

/** The input of an import's writing. */
export interface ImportPlan extends Pick<Report, 'tool' | 'category' | 'bracketed' | 'failures' | 'unread' | 'count'> {
  /** The assets of all findings. */
  assets: AssetCollection;
  organizationId: string;
  profileId: string;
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
   * Writes a completed scan with all findings in the unit of work under way, while they may still be read; its triggers fire
   * once for the whole report. `NotAsExpected` as `batches` of the findings; throws what reading them throws.
   */
  async write(plan: ImportPlan, findings: SpooledFindings): Promise<ImportResult> {
    const { organizationId, profileId, kind } = plan;
    const { wanted, known } = plan.assets;
    const assets = await this.assets.findOrCreate(organizationId, wanted);
    for (const [uri, id] of known) assets.set(uri, { id, created: false });
    const assetIds = [...assets.values()].map(({ id }) => id);
    await this.repository.lockAssets(organizationId, assetIds);
    const scan = await this.scans.create(organizationId, {
      applicationId: profileId,
      kind,
      assetIds,
      status: plan.failures.length > 0 ? 'FAILED' : 'FINISHED',
    });
    const context = { id: scan.id, organizationId, profileId, assetIds };
    const totals = await this.findings.write(context, plan, findings, assets);
    const { fields, resolvedIds } = await this.outcomes.conclude(
      {
        ...plan,
        ...totals,
        scanId: scan.id,
        assetIds,
        partial: partialReason(plan, findings),
        absent: findings.absent.identities((uri) => assets.get(uri)?.id),
      },
      plan.query,
    );
    await this.issues.announce(organizationId, {
      announcedIds: [...totals.announcedIds],
      updatedIds: [...totals.updatedIds, ...resolvedIds],
    });
    return {
      ...(await this.resultOf(scan, findings, totals)),
      ...fields,
      assetUris: [...assets.keys()].slice(0, mostUris),
      dryRun: plan.query.dryRun,
    };
  }

  private async resultOf(
    scan: ResourceScan,
    findings: SpooledFindings,
    totals: Totals,
  ): Promise<Omit<ImportResult, keyof OutcomeFields | 'assetUris' | 'dryRun'>> {
    const { cut } = findings;
    const { targetsCut } = totals;
    const targets = {
      index: null,
      reason: `${targetsCut} targets were more than the ${maxTargets} that an issue keeps`,
    };
    return {
      scan,
      findings: findings.findings,
      created: totals.createdIds.size,
      seen: totals.seen,
      targets: await this.repository.targetsOf(scan.id),
      events: totals.events,
      skipped: findings.skipped.named,
      skippedCount: findings.skipped.count,
      cut: targetsCut > 0 ? [targets, ...cut.named] : cut.named,
      cutCount: cut.count + (targetsCut > 0 ? 1 : 0),
    };
  }
}

/** The reason why the report lacks some of the tool's findings; null where it has all. */
function partialReason({ tool, failures, unread }: ImportPlan, findings: SpooledFindings): string | null {
  if (failures.length > 0) return `${tool} did not get to its end`;
  if (findings.unread > 0) return `${findings.unread} findings could not be read: see skipped`;
  return unread.length > 0 ? 'A part of the report was not read: see cut' : null;
}
