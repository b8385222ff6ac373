import type { IncomingMessage } from 'node:http';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { isMissingPartition } from '../../common/errors/database-errors.js';
import { elementsOf, readElement } from '../../common/http/element-body.js';
import { OrganizationRemovals } from '../../common/removal-steps.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import type { ScanContext } from '../scans/scans.repository.js';
import { ScansService } from '../scans/scans.service.js';
import { EventBatch } from './event-batch.js';
import { EventPartitions } from './event-partitions.service.js';
import { EventReferences } from './event-references.js';
import { type EventRow, type NewEvent, toEventRow } from './event-rows.js';
import { EventSpool } from './event-spool.js';
import { EventWritesRepository } from './event-writes.repository.js';
import { boundsOfTime, readEvent } from './read-event.js';
import { type EventAppendResult, EventCreate } from './scan-event-append.shapes.js';

// Not shown: how much one request may append; more goes in several.
const bounds = { lines: true, maxBytes: 128 * 2 ** 20, maxElementBytes: 2 ** 20 };
const spoolMemoryBytes = 4 * 2 ** 20;
const attempts = 3;

/** Events of one request, read and waiting to be written. */
interface ReadEvents {
  spool: EventSpool;
  count: number;
  /** A time of each month that they lie in. */
  times: Map<string, Date>;
}

/** Appends events to scans. */
@Injectable()
export class EventAppends implements OnModuleInit {
  constructor(
    private readonly scans: ScansService,
    private readonly partitions: EventPartitions,
    private readonly repository: EventWritesRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly removals: OrganizationRemovals,
  ) {}

  onModuleInit(): void {
    this.removals.add((organizationIds) => this.repository.removeOf(organizationIds));
  }

  /**
   * Appends the events in the body of a request, all or none; those whose id is there already are ignored. `NotFound` for
   * a scan, asset or issue that is not the organization's; `Invalid`, `PayloadTooLarge`, `UnsupportedMediaType` for the body.
   */
  async append(organizationId: string, scanId: string, request: IncomingMessage): Promise<EventAppendResult> {
    // Not shown: scans at their end. They take events too, as scanners report late.
    const scan = await this.scans.contextOf(organizationId, scanId);
    const read: ReadEvents = { spool: new EventSpool(spoolMemoryBytes), count: 0, times: new Map() };
    try {
      await this.read(scan, request, read);
      const accepted = await this.store(scan, read);
      return { accepted, ignored: read.count - accepted };
    } finally {
      await read.spool.close();
    }
  }

  /**
   * Writes events of a scan in the unit of work under way, in their order; answers how many were new. What they name must
   * be the organization's, and the months that they lie in must have been prepared before the unit began.
   */
  async write(scan: ScanContext, events: Iterable<NewEvent>): Promise<number> {
    const batch = new EventBatch();
    let written = 0;
    let index = 0;
    for (const event of events) {
      batch.add(toEventRow(scan, event, index++));
      if (batch.isFull) written += await this.repository.insert(scan, batch.take());
    }
    return batch.isEmpty ? written : written + (await this.repository.insert(scan, batch.take()));
  }

  private async read(scan: ScanContext, request: IncomingMessage, read: ReadEvents): Promise<void> {
    const times = boundsOfTime(new Date());
    const references = new EventReferences(this.repository, scan);
    const batch = new EventBatch();
    const toRow = (event: EventCreate, index: number): EventRow => toEventRow(scan, readEvent(event, times), index);
    const flush = async (): Promise<void> => {
      await references.demand();
      await read.spool.add(batch.take());
    };
    for await (const elements of elementsOf(request, bounds)) {
      for (const element of elements) {
        const row = readElement(element, EventCreate, toRow);
        references.note(row, element.index);
        const month = row.created_at.slice(0, 7);
        if (!read.times.has(month)) read.times.set(month, new Date(row.created_at));
        batch.add(row);
        read.count++;
        if (batch.isFull) await flush();
      }
    }
    if (!batch.isEmpty) await flush();
  }

  /** Writes all batches in one transaction. A month that retention took away meanwhile is made again. */
  private async store(scan: ScanContext, { spool, times }: ReadEvents): Promise<number> {
    for (let attempt = 1; ; attempt++) {
      await this.partitions.prepare(times.values());
      try {
        return await this.unitOfWork.run(() => this.insertAll(scan, spool));
      } catch (error) {
        if (attempt === attempts || !isMissingPartition(error)) throw error;
        this.partitions.forget();
      }
    }
  }

  private async insertAll(scan: ScanContext, spool: EventSpool): Promise<number> {
    let written = 0;
    for await (const batch of spool.batches()) written += await this.repository.insert(scan, batch);
    return written;
  }
}
