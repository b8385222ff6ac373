import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { isMissingPartition } from '../../platform/errors/database-errors.js';
import { elementsOf } from '../../platform/http/element-body.js';
import { Changes } from '../../database/changes.js';
import { monthOf } from '../../database/months.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import type { ScanContext } from '../scans/scan-context.js';
import { ScansService } from '../scans/scans.service.js';
import { SpoolFile } from '../spool-file.js';
import { EventAllowance } from './event-allowance.js';
import { EventBatch } from './event-batch.js';
import { arrivalsOf } from '../arrival-tags.js';
import { EventPartitionsService } from './event-partitions.service.js';
import { EventReferences } from './event-references.js';
import { readEvents } from './event-reader.js';
import { type NewEvent, toEventRow } from './event-rows.js';
import { EventWritesRepository } from './event-writes.repository.js';
import type { EventTally } from './event-tally.js';
import type { EventAppendResult } from './scan-event-append.dto.js';

// Unspecified: how much one request may append; more takes several.
const bounds = { lines: true, maxBytes: 128 * 2 ** 20, maxElementBytes: 2 ** 20 };
const memoryBytes = 4 * 2 ** 20;
const attempts = 3;

/** Appends events to scans. */
@Injectable()
export class EventAppendsService {
  constructor(
    private readonly scans: ScansService,
    private readonly partitions: EventPartitionsService,
    private readonly repository: EventWritesRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly allowance: EventAllowance,
    private readonly changes: Changes,
  ) {}

  /**
   * Appends the events in the body of a request, all or none, and ignores known ids. `NotFound` for a scan, asset or
   * issue that is not the organization's; `Invalid`, `PayloadTooLarge`, `UnsupportedMediaType` for the body;
   * `RateExceeded` for more than the organization may append in a day.
   */
  async append(organizationId: string, scanId: string, request: IncomingMessage): Promise<EventAppendResult> {
    // Unspecified: finished scans. They accept events too, as scanners report late.
    const scan = await this.scans.contextOf(organizationId, scanId);
    const references = new EventReferences(this.repository, scan);
    const spool = new SpoolFile({ memoryBytes });
    try {
      const { count, times } = await readEvents(elementsOf(request, bounds), scan, references, spool);
      const accepted = await this.allowance.spend(organizationId, count, () => this.store(scan, spool, times));
      return { accepted, ignored: count - accepted };
    } finally {
      await spool.close();
    }
  }

  /**
   * Writes events of a scan in order, in the current unit of work; returns how many were new. The caller has
   * checked that their assets and issues are the organization's, and has prepared their months before the unit began.
   */
  async write(scan: ScanContext, events: Iterable<NewEvent>): Promise<number> {
    const batch = new EventBatch();
    let written = 0;
    let index = 0;
    for (const event of events) {
      batch.add(toEventRow(scan, event, index++));
      if (batch.isFull) written += await this.repository.append(scan, batch.take());
    }
    if (!batch.isEmpty) written += await this.repository.append(scan, batch.take());
    await this.wakeFollowers(scan, written);
    return written;
  }

  /**
   * Writes events of the month of `time` with new ids, in lines of `beginLine` and `endLine`, like `write`: cheaper, as
   * it compares nothing with the stored events. Returns their number. The caller has prepared the month, and ends with
   * `endCopy`.
   */
  copy(time: Date, lines: readonly string[]): Promise<number> {
    return this.repository.copy(monthOf('scan_events', time), lines);
  }

  /**
   * Ends the copying of an organization's events: call it once in its unit of work, with the tally of all copied
   * events.
   */
  async endCopy(organizationId: string, tally: EventTally): Promise<void> {
    if (!tally.isEmpty) await this.repository.countCopied(organizationId, tally);
  }

  /** Writes all batches in one transaction, and makes a month again that retention dropped meanwhile. */
  private async store(scan: ScanContext, spool: SpoolFile, times: Date[]): Promise<number> {
    for (let attempt = 1; ; attempt++) {
      await this.partitions.prepare(times);
      try {
        return await this.unitOfWork.run(() => this.insertAll(scan, spool));
      } catch (error) {
        if (attempt === attempts || !isMissingPartition(error)) throw error;
        this.partitions.forget();
      }
    }
  }

  private async insertAll(scan: ScanContext, spool: SpoolFile): Promise<number> {
    let written = 0;
    for await (const batches of spool.lines()) {
      for (const batch of batches) written += await this.repository.append(scan, batch.toString());
    }
    await this.wakeFollowers(scan, written);
    return written;
  }

  private async wakeFollowers({ organizationId }: ScanContext, written: number): Promise<void> {
    if (written > 0) this.changes.invalidate([arrivalsOf(organizationId)]);
  }
}
