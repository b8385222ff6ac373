import { Injectable } from '@nestjs/common';
import { AssetsService, type FoundAsset } from '../assets/assets.service.js';
import { type AppendedFindings, IssueAppends } from '../issues/issue-appends.service.js';
import { EventAppends } from '../scan-events/event-appends.service.js';
import type { ScanContext } from '../scans/scans.repository.js';
import type { ResourceScan } from '../scans/scans.shapes.js';
import { ScansService } from '../scans/scans.service.js';
import type { ScanKind } from '../vocabulary.js';
import type { FindingSpool, SpooledFinding } from './finding-spool.js';
import { endEvent, startEvent, toFindingEvent } from './report-events.js';
import { ReportsRepository } from './reports.repository.js';
import type { ImportResult } from './reports.shapes.js';

/** What an import is written as. */
export interface ImportPlan {
  organizationId: string;
  profileId: string;
  kind: ScanKind;
  tool: string;
  /** Whether events tell its start and end. */
  bracketed: boolean;
}

/** What the batches of one import came to. */
interface Totals {
  seen: number;
  events: number;
  createdIds: Set<string>;
  updatedIds: Set<string>;
}

/** Writes what a report holds: one scan, its assets, issues, targets and events. */
@Injectable()
export class ReportWriter {
  constructor(
    private readonly repository: ReportsRepository,
    private readonly assets: AssetsService,
    private readonly scans: ScansService,
    private readonly issues: IssueAppends,
    private readonly events: EventAppends,
  ) {}

  /**
   * Writes a finished scan with all findings, in the unit of work under way; what it sets off is recorded once for all.
   */
  async write(plan: ImportPlan, findings: FindingSpool): Promise<ImportResult> {
    const { organizationId, profileId, kind } = plan;
    const assets = await this.assets.findOrCreate(organizationId, [...findings.assets.values()]);
    const assetIds = [...assets.values()].map(({ id }) => id);
    const scan = await this.scans.create(organizationId, {
      applicationId: profileId,
      kind,
      assetIds,
      status: 'FINISHED',
    });
    const totals = await this.writeFindings(
      plan,
      { id: scan.id, organizationId, profileId, assetIds },
      findings,
      assets,
    );
    return this.resultOf(scan, findings, totals);
  }

  private async writeFindings(
    plan: ImportPlan,
    scan: ScanContext,
    findings: FindingSpool,
    assets: Map<string, FoundAsset>,
  ): Promise<Totals> {
    const totals: Totals = { seen: 0, events: 0, createdIds: new Set(), updatedIds: new Set() };
    if (plan.bracketed) totals.events += await this.events.write(scan, [startEvent(plan.tool, findings.findings)]);
    for await (const batch of findings.batches()) {
      const assetIdOf = ({ assetUri }: SpooledFinding): string => assets.get(assetUri)?.id ?? '';
      const found = batch.map((finding) => ({ ...finding, assetId: assetIdOf(finding) }));
      const appended = await this.issues.write(scan, found);
      count(appended, totals);
      const events = found.map((finding, at) =>
        toFindingEvent(finding, finding.assetId, appended.issues[at]?.id ?? ''),
      );
      totals.events += await this.events.write(scan, events);
    }
    const counts = { created: totals.createdIds.size, seen: totals.seen, skipped: findings.skipped.length };
    if (plan.bracketed) totals.events += await this.events.write(scan, [endEvent(plan.tool, counts)]);
    await this.issues.announce(scan.organizationId, {
      createdIds: [...totals.createdIds],
      updatedIds: [...totals.updatedIds],
    });
    return totals;
  }

  private async resultOf(scan: ResourceScan, findings: FindingSpool, totals: Totals): Promise<ImportResult> {
    return {
      scan,
      findings: findings.findings,
      created: totals.createdIds.size,
      seen: totals.seen,
      targets: await this.repository.targetsOf(scan.id),
      events: totals.events,
      skipped: findings.skipped,
    };
  }
}

/** An issue that is new in this import has not changed by it, however often it is found. */
function count({ issues, createdIds, updatedIds }: AppendedFindings, totals: Totals): void {
  for (const id of createdIds) totals.createdIds.add(id);
  for (const id of updatedIds) if (!totals.createdIds.has(id)) totals.updatedIds.add(id);
  totals.seen += issues.filter(({ created }) => !created).length;
}
