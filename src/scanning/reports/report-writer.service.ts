import { Injectable } from '@nestjs/common';
import { AssetsService, type FoundAsset } from '../assets/assets.service.js';
import { maxTargets } from '../issues/finding-rows.js';
import { type AppendedFindings, IssueAppendsService } from '../issues/issue-appends.service.js';
import { EventAppendsService } from '../scan-events/event-appends.service.js';
import { endLine } from '../scan-events/event-line.js';
import { EventTally } from '../scan-events/event-tally.js';
import type { ScanContext } from '../scans/scan-context.js';
import type { ResourceScan } from '../scans/scans.shapes.js';
import { ScansService } from '../scans/scans.service.js';
import type { ScanKind } from '../vocabulary.js';
import type { AssetCollection } from './asset-collection.js';
import { ImportOutcomesService, type OutcomeFields } from './import-outcomes.service.js';
import type { Report } from './report-finding.js';
import type { SpooledFindings } from './spooled-findings.js';
import { endEvent, failureEvent, startEvent } from './report-events.js';
import { prepare, type PreparedBatch } from './prepared-batch.js';
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

/** The sums over all batches of one import. */
interface Totals {
  seen: number;
  events: number;
  createdIds: Set<string>;
  announcedIds: Set<string>;
  targetsCut: number;
  updatedIds: Set<string>;
  reopenedIds: Set<string>;
}

/** Writes the content of a report: one scan, its assets, issues, targets and events. */
@Injectable()
export class ReportWriterService {
  constructor(
    private readonly repository: ReportsRepository,
    private readonly assets: AssetsService,
    private readonly scans: ScansService,
    private readonly issues: IssueAppendsService,
    private readonly events: EventAppendsService,
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
    const totals = await this.writeFindings(
      plan,
      { id: scan.id, organizationId, profileId, assetIds },
      findings,
      assets,
    );
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

  private async writeFindings(
    plan: ImportPlan,
    scan: ScanContext,
    findings: SpooledFindings,
    assets: Map<string, FoundAsset>,
  ): Promise<Totals> {
    const totals: Totals = {
      seen: 0,
      events: 0,
      createdIds: new Set(),
      announcedIds: new Set(),
      updatedIds: new Set(),
      reopenedIds: new Set(),
      targetsCut: 0,
    };
    if (plan.bracketed)
      totals.events += await this.events.write(scan, [startEvent(plan.tool, plan.count ?? findings.findings)]);
    const tally = new EventTally();
    // The next batch is read and prepared while PostgreSQL writes one.
    let writing: Promise<void> = Promise.resolve();
    try {
      for await (const batch of findings.batches(plan.assets)) {
        const prepared = await prepare(scan, batch, assets, tally);
        await writing;
        writing = this.writeBatch(scan, prepared, totals);
        writing.catch(() => undefined);
      }
    } finally {
      await writing;
    }
    await this.events.endCopy(scan.organizationId, tally);
    const { seen, targetsCut } = totals;
    const counts = { created: totals.createdIds.size, seen, skipped: findings.skipped.count, targetsCut };
    const failed = plan.failures.length > 0 ? [failureEvent(plan.tool, plan.failures)] : [];
    // The answer names everything that was not kept, even where the format has no events of its own.
    const hasEnd = plan.bracketed || targetsCut > 0;
    const last = [...failed, ...(hasEnd ? [endEvent(plan.tool, counts)] : [])];
    if (last.length > 0) totals.events += await this.events.write(scan, last);
    return totals;
  }

  private async writeBatch(scan: ScanContext, { rows, events }: PreparedBatch, totals: Totals): Promise<void> {
    const appended = await this.issues.write(scan, rows);
    count(appended, totals);
    let finding = 0;
    for (const { since, begun } of events) {
      const lines = begun.map((line) => endLine(line, appended.issues[finding++]?.id ?? ''));
      totals.events += await this.events.copy(new Date(since), lines);
    }
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

/** A new issue of this import is not updated by it, however often the report has it. */
function count(appended: AppendedFindings, totals: Totals): void {
  const { issues, createdIds, announcedIds, updatedIds, reopenedIds, targetsCut } = appended;
  for (const id of createdIds) totals.createdIds.add(id);
  for (const id of announcedIds) totals.announcedIds.add(id);
  totals.targetsCut += targetsCut;
  for (const id of updatedIds) if (!totals.createdIds.has(id)) totals.updatedIds.add(id);
  for (const id of reopenedIds) if (!totals.createdIds.has(id)) totals.reopenedIds.add(id);
  totals.seen += issues.filter(({ created }) => !created).length;
}
