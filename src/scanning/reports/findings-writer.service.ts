import { Injectable } from '@nestjs/common';
import type { FoundAsset } from '../assets/assets.service.js';
import type { AppendedIssue } from '../issues/issue-append.dto.js';
import type { OpenIssue } from '../issues/issue-resolutions.repository.js';
import { type AppendedFindings, IssueAppendsService } from '../issues/issue-appends.service.js';
import { EventAppendsService } from '../scan-events/event-appends.service.js';
import { endLine } from '../scan-events/event-line.js';
import { EventTally } from '../scan-events/event-tally.js';
import type { ScanContext } from '../scans/scan-context.js';
import type { AssetCollection } from './asset-collection.js';
import { type EventLines, prepare, type PreparedBatch } from './prepared-batch.js';
import { ImportOutcomesRepository } from './import-outcomes.repository.js';
import { endEvent, failureEvent, notRun, startEvent } from './report-events.js';
import type { Report } from './report-finding.js';
import type { SpooledFinding, SpooledFindings } from './spooled-findings.js';

/** The sums over all batches of one import. */
export interface Totals {
  seen: number;
  /** The new issues and known findings of each tool. */
  byTool: { created: number; seen: number }[];
  events: number;
  /** The digests of the rules that findings name. */
  ruleDigests: Set<string>;
  createdIds: Set<string>;
  assigneeIds: Set<string>;
  announcedIds: Set<string>;
  targetsCut: number;
  updatedIds: Set<string>;
  reopenedIds: Set<string>;
  /** Open issues that only the report of an old commit has. */
  stale: OpenIssue[];
}

/** What is to be known of a report beside its findings. */
export interface FindingsPlan extends Pick<Report, 'tools' | 'bracketed' | 'count'> {
  /** The assets of all findings. */
  assets: AssetCollection;
}

/** Writes the findings of a report: issues, their targets, and an event each. */
@Injectable()
export class FindingsWriterService {
  constructor(
    private readonly issues: IssueAppendsService,
    private readonly events: EventAppendsService,
    private readonly outcomes: ImportOutcomesRepository,
  ) {}

  /**
   * Writes all findings in the current unit of work, each into its tool's scan, about the assets of these uris, and
   * the events before and after them. `NotAsExpected` as `batches` of the findings; throws what reading them throws.
   */
  async write(
    scans: ScanContext[],
    plan: FindingsPlan,
    findings: SpooledFindings,
    assets: Map<string, FoundAsset>,
  ): Promise<Totals> {
    const totals = zero(scans.length);
    await this.writeStarts(scans, plan, findings, totals);
    const tally = new EventTally();
    const prepared = (batch: SpooledFinding[]) => prepare(scanOf(scans, batch), batch, assets, tally);
    await this.writeAll(findings, plan.assets, prepared, totals);
    for (const { organizationId } of scans.slice(0, 1)) await this.events.endCopy(organizationId, tally);
    await this.writeEnds(scans, plan, findings, totals);
    return totals;
  }

  private async writeStarts(
    scans: ScanContext[],
    { tools, bracketed, count: results }: FindingsPlan,
    findings: SpooledFindings,
    totals: Totals,
  ): Promise<void> {
    if (!bracketed) return;
    const names = tools.map(({ name }) => name);
    for (const [at, scan] of scans.entries()) {
      const start = startEvent(names[at] ?? '', names, results ?? findings.findings);
      totals.events += await this.events.write(scan, [start]);
    }
  }

  private async writeEnds(
    scans: ScanContext[],
    { tools, bracketed }: FindingsPlan,
    findings: SpooledFindings,
    totals: Totals,
  ): Promise<void> {
    const { targetsCut } = totals;
    for (const [at, scan] of scans.entries()) {
      const tool = tools[at];
      const own = totals.byTool[at];
      if (!tool || !own) continue;
      const counts = { ...own, skipped: findings.skipped.count, targetsCut };
      const failed = notRun(tool) === null ? [] : [failureEvent(tool)];
      // The answer names everything that was not kept, even where the format has no events of its own.
      const last = [...failed, ...(bracketed || targetsCut > 0 ? [endEvent(tool.name, counts)] : [])];
      if (last.length > 0) totals.events += await this.events.write(scan, last);
    }
  }

  /** Each batch is read and prepared while PostgreSQL writes the one before it. */
  private async writeAll(
    findings: SpooledFindings,
    assets: AssetCollection,
    prepared: (batch: SpooledFinding[]) => Promise<PreparedBatch>,
    totals: Totals,
  ): Promise<void> {
    let writing: Promise<void> = Promise.resolve();
    try {
      for await (const batch of findings.batches(assets)) {
        const ready = await findings.work(() => prepared(batch));
        await writing;
        writing = this.writeBatch(ready, totals);
        // Its failure is thrown where it is awaited.
        writing.catch(() => undefined);
      }
      await writing;
    } finally {
      await writing.catch(() => undefined);
    }
  }

  private async writeBatch({ scan, tool, rows, events }: PreparedBatch, totals: Totals): Promise<void> {
    await this.outcomes.countAnew();
    const appended = await this.issues.write(scan, rows);
    count(appended, tool, totals);
    totals.stale.push(...appended.staleIds.map((id) => ({ id, scanId: scan.id })));
    for (const { row } of rows.rows) if (row.rule_digest !== null) totals.ruleDigests.add(row.rule_digest);
    totals.events += await this.copy(events, appended.issues);
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

function scanOf(scans: ScanContext[], [first]: SpooledFinding[]): ScanContext {
  const scan = scans[first?.tool ?? 0];
  if (!scan) throw new Error('A finding names a tool that is not in the report');
  return scan;
}

function zero(tools: number): Totals {
  return {
    seen: 0,
    byTool: Array.from({ length: tools }, () => ({ created: 0, seen: 0 })),
    ruleDigests: new Set(),
    events: 0,
    createdIds: new Set(),
    assigneeIds: new Set(),
    announcedIds: new Set(),
    updatedIds: new Set(),
    reopenedIds: new Set(),
    stale: [],
    targetsCut: 0,
  };
}

/** A new issue of this import is not updated by it, however often the report has it. */
function count(appended: AppendedFindings, tool: number, totals: Totals): void {
  const { issues, createdIds, assigneeIds, announcedIds, updatedIds, reopenedIds, targetsCut } = appended;
  for (const id of createdIds) totals.createdIds.add(id);
  for (const id of assigneeIds) totals.assigneeIds.add(id);
  for (const id of announcedIds) totals.announcedIds.add(id);
  totals.targetsCut += targetsCut;
  for (const id of updatedIds) if (!totals.createdIds.has(id)) totals.updatedIds.add(id);
  for (const id of reopenedIds) if (!totals.createdIds.has(id)) totals.reopenedIds.add(id);
  const seen = issues.filter(({ created }) => !created).length;
  totals.seen += seen;
  const own = totals.byTool[tool];
  if (!own) return;
  own.seen += seen;
  own.created += createdIds.length;
}
