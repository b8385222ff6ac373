import { Injectable } from '@nestjs/common';
import { UuidSet } from '../../common/memory/uuid-set.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import type { FoundAsset } from '../assets/assets.service.js';
import type { AppendedIssue } from '../issues/issue-append.shapes.js';
import { type AppendedFindings, IssueAppendsService } from '../issues/issue-appends.service.js';
import { EventAppendsService } from '../scan-events/event-appends.service.js';
import { endLine } from '../scan-events/event-line.js';
import { EventTally } from '../scan-events/event-tally.js';
import type { ScanContext } from '../scans/scan-context.js';
import type { AssetCollection } from './asset-collection.js';
import { BatchQueue } from './batch-queue.js';
import { type EventLines, prepare, type PreparedBatch } from './prepared-batch.js';
import { endEvent, failureEvent, startEvent } from './report-events.js';
import type { Report } from './report-finding.js';
import type { SpooledFinding, SpooledFindings } from './spooled-findings.js';

/** The sums over all batches of one import. */
export interface Totals {
  seen: number;
  events: number;
  createdIds: UuidSet;
  announcedIds: UuidSet;
  targetsCut: number;
  updatedIds: UuidSet;
  reopenedIds: UuidSet;
}

/** What is to be known of a report beside its findings. */
export interface FindingsPlan extends Pick<Report, 'tool' | 'bracketed' | 'failures' | 'count'> {
  /** The assets of all findings. */
  assets: AssetCollection;
}

/** Writes the findings of a report: issues, their targets, and an event each. */
@Injectable()
export class FindingsWriterService {
  constructor(
    private readonly issues: IssueAppendsService,
    private readonly events: EventAppendsService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * Writes all findings in the unit of work under way, about the assets of these uris, and the events before and after them.
   * `NotAsExpected` as `batches` of the findings; throws what reading them throws.
   */
  async write(
    scan: ScanContext,
    plan: FindingsPlan,
    findings: SpooledFindings,
    assets: Map<string, FoundAsset>,
  ): Promise<Totals> {
    const { tool, bracketed, failures } = plan;
    const totals = zero();
    if (bracketed) totals.events += await this.events.write(scan, [startEvent(tool, plan.count ?? findings.findings)]);
    const tally = new EventTally();
    const prepared = (batch: SpooledFinding[]) => prepare(scan, batch, assets, tally);
    await this.unitOfWork.pipelined(() => this.writeAll(findings, plan.assets, prepared, this.queue(scan, totals)));
    await this.events.endCopy(scan.organizationId, tally);
    const { seen, targetsCut } = totals;
    const counts = { created: totals.createdIds.size, seen, skipped: findings.skipped.count, targetsCut };
    const failed = failures.length > 0 ? [failureEvent(tool, failures)] : [];
    // The answer names everything that was not kept, even where the format has no events of its own.
    const hasEnd = bracketed || targetsCut > 0;
    const last = [...failed, ...(hasEnd ? [endEvent(tool, counts)] : [])];
    if (last.length > 0) totals.events += await this.events.write(scan, last);
    return totals;
  }

  /** Batches are read and prepared while PostgreSQL writes those before them. */
  private async writeAll(
    findings: SpooledFindings,
    assets: AssetCollection,
    prepared: (batch: SpooledFinding[]) => Promise<PreparedBatch>,
    queue: BatchQueue,
  ): Promise<void> {
    try {
      for await (const batch of findings.batches(assets)) {
        await queue.room();
        queue.add(await findings.work(() => prepared(batch)));
      }
    } finally {
      await queue.end();
    }
  }

  private queue(scan: ScanContext, totals: Totals): BatchQueue {
    const issues = async ({ rows }: PreparedBatch): Promise<AppendedFindings> => {
      const appended = await this.issues.write(scan, rows);
      count(appended, totals);
      return appended;
    };
    const events = async (batch: PreparedBatch, appended: AppendedFindings): Promise<void> => {
      const copied = await this.copy(batch.events, appended.issues);
      totals.events += copied;
    };
    return new BatchQueue({ issues, events });
  }

  private async copy(events: EventLines[], issues: AppendedIssue[]): Promise<number> {
    let finding = 0;
    let copied = 0;
    for (const { since, begun } of events) {
      const lines = begun.map((line) => endLine(line, issues[finding++]?.id ?? ''));
      copied += await this.events.copy(new Date(since), lines);
    }
    return copied;
  }
}

function zero(): Totals {
  return {
    seen: 0,
    events: 0,
    createdIds: new UuidSet(),
    announcedIds: new UuidSet(),
    updatedIds: new UuidSet(),
    reopenedIds: new UuidSet(),
    targetsCut: 0,
  };
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
