import { Injectable } from '@nestjs/common';
import { leastUuidAt, timeOfUuidV7 } from '../../platform/crypto/uuid-v7.js';
import { found } from '../../platform/errors/errors.js';
import { pageOf, startOf } from '../../platform/http/cursor.js';
import { inBuckets, bucketsOf, type TimeBuckets } from '../../platform/http/time-buckets.js';
import { hasMore } from '../../database/bounded-rows.js';
import { type CountedPage, timeOf } from '../counted-lists.js';
import { afterBatch, type ArrivalPosition, brokenArrival, decodeArrival, encodeArrival } from './arrival-cursor.js';
import { filtersOf } from './asked-filters.js';
import { type Followed, followedBy, isInScope } from './asked-follow.js';
import { EventCountsRepository } from './event-counts.repository.js';
import { positionAfter } from './event-numbers.repository.js';
import { EventNumbersService } from './event-numbers.service.js';
import { areAny, type EventFilters } from './event-filters.js';
import type { EventHistogram, EventHistogramFilter } from './event-histogram.dto.js';
import { type ChangedScan, ScanChangesRepository } from './scan-changes.repository.js';
import { toEventBucket, toResourceScan, toScanEventSummary } from './scan-events.mapper.js';
import {
  type ArrivedEvent,
  type EventArrivalRows,
  type EventCount,
  ScanEventsRepository,
} from './scan-events.repository.js';
import type { EventArrivalFilter, EventArrivals, EventFilter, ScanEvent, ScanEventSummary } from './scan-events.dto.js';

// Unspecified: how many steps a histogram has at most; more than a screen can show.
const maxSteps = 1_000;

/** The arrivals after a position, in their order. */
export interface ArrivalPage {
  rows: ArrivedEvent[];
  /** The scans that changed between the position and `next`, if the caller asked for them. */
  scans: ChangedScan[];
  epoch: string;
  /** The position after them. */
  next: ArrivalPosition;
  /** Whether more have already arrived. */
  more: boolean;
}

/** Reads the events of an organization's scans. */
@Injectable()
export class ScanEventsService {
  constructor(
    private readonly repository: ScanEventsRepository,
    private readonly counts: EventCountsRepository,
    private readonly numbers: EventNumbersService,
    private readonly scanChanges: ScanChangesRepository,
  ) {}

  /**
   * Returns a page of events, newest first. The cursor is a position in time: the events after it, back-dated ones
   * included, are listed once. `Invalid` for a broken cursor, and for a `search` that is too short or takes too long;
   * `RateExceeded` where the organization has too many searches in progress.
   */
  async list(
    organizationId: string,
    { size, cursor, since, until, total, ...asked }: EventFilter,
  ): Promise<CountedPage<ScanEventSummary>> {
    const filters = { ...filtersOf(asked), since: timeOf(since) };
    const end = endOf(until);
    const rows = await this.repository.page(organizationId, earlier(startOf(cursor), end), size + 1, filters);
    const page = await pageOf(rows, size, toScanEventSummary, hasMore(rows, size));
    return total ? { ...page, totalCount: await this.repository.total(organizationId, end, filters) } : page;
  }

  /** Returns one event with its description; `NotFound` where the organization has none of this id. */
  async get(organizationId: string, id: string): Promise<ScanEvent> {
    const time = timeOfUuidV7(id);
    return found(time && (await this.repository.byId(organizationId, time, id)), 'Event');
  }

  /** Returns the newest event of an issue that has attachments; null where none has. */
  async newestAttached(organizationId: string, issueId: string): Promise<ScanEventSummary | null> {
    const row = await this.repository.newestOf(organizationId, { issueIds: [issueId], hasAttachments: true });
    return row && toScanEventSummary(row);
  }

  /**
   * Counts events by level over time. `Invalid` for more than 1,000 steps, and where `from` is not before `to`;
   * `RateExceeded` as `list`.
   */
  async histogram(
    organizationId: string,
    { interval, from, to, ...asked }: EventHistogramFilter,
  ): Promise<EventHistogram> {
    const steps = bucketsOf({ from, to }, interval, maxSteps);
    const counts = await this.countsIn(organizationId, steps, filtersOf(asked));
    return { interval, from: steps.from, to: steps.to, buckets: inBuckets(steps, counts, toEventBucket) };
  }

  /** Filters by level alone have counts already; others count the events. */
  private countsIn(organizationId: string, steps: TimeBuckets, filters: EventFilters): Promise<EventCount[]> {
    const { levels, ...others } = filters;
    return areAny(others)
      ? this.repository.histogram(organizationId, steps, filters)
      : this.counts.inBuckets(organizationId, steps, levels);
  }

  /**
   * Returns the arrivals since an earlier response, back-dated events included, each exactly once. Without a cursor it
   * returns no events, and a cursor for future arrivals. `Invalid` and `RateExceeded` as `list`.
   */
  async arrivals(organizationId: string, { size, after, ...asked }: EventArrivalFilter): Promise<EventArrivals> {
    const followed = followedBy(asked);
    const scansOf = (scans: ChangedScan[]) => followed.scans && { scans: scans.map(toResourceScan) };
    if (after === undefined) {
      const nextCursor = encodeArrival(await this.numbers.now(organizationId));
      return { data: [], nextCursor, more: false, ...scansOf([]) };
    }
    const { rows, scans, next, more } = await this.arrivedAfter(organizationId, decodeArrival(after), size, followed);
    return { data: rows.map(toScanEventSummary), nextCursor: encodeArrival(next), more, ...scansOf(scans) };
  }

  /**
   * Returns the arrivals after a position, `size` events at most, with the changed scans. `Invalid` and `RateExceeded`
   * as `list`.
   */
  async arrivedAfter(
    organizationId: string,
    position: ArrivalPosition,
    size: number,
    { filters, scans: scope }: Followed,
  ): Promise<ArrivalPage> {
    const read = () => this.repository.arrivals(organizationId, position, size + 1, filters);
    let arrived = await read();
    if (arrived.state?.isBehind && arrived.rows.length <= size && arrived.state.lookedTo === null) {
      await this.numbers.number([organizationId]);
      // An earlier statement would miss batches that were numbered meanwhile, here or elsewhere.
      arrived = await read();
    }
    const page = pageAfter(position, arrived, size);
    if (!scope) return { ...page, scans: [] };
    const passed = { id: organizationId, from: position.number, to: page.next.number };
    const changed = await this.scanChanges.firstChangedIn(passed);
    const scans = changed.scans.filter((scan) => isInScope(scope, scan));
    if (changed.to === passed.to) return { ...page, scans };
    // Too many scans for one page: it ends before the next of them, and the events since come with it.
    const rows = page.rows.filter(({ number }) => number < changed.to);
    return { ...page, rows, scans, next: afterBatch(page.epoch, changed.to - 1), more: true };
  }
}

function pageAfter(
  position: ArrivalPosition,
  { state, rows }: EventArrivalRows,
  size: number,
): Omit<ArrivalPage, 'scans'> {
  if (state?.epoch !== position.epoch || state.isAhead) {
    throw brokenArrival('The database was restored since that response: begin without a cursor');
  }
  const { epoch } = state;
  const kept = rows.slice(0, size);
  const last = kept.at(-1);
  if (last && (rows[0]?.total ?? 0) > kept.length) {
    return { rows: kept, epoch, next: { epoch, number: last.number, id: last.id }, more: true };
  }
  return { rows: kept, epoch, next: positionAfter(position, state), more: state.lookedTo !== null };
}

type Position = ReturnType<typeof startOf>;

/** The position that precedes all events before a time: an index reaches it without scanning newer ones. */
function endOf(until: string | undefined): Position {
  if (until === undefined) return startOf(undefined);
  const time = new Date(until);
  return [time, leastUuidAt(time)];
}

function earlier(one: Position, other: Position): Position {
  if (other[0] === 'infinity') return one;
  return one[0] === 'infinity' || one[0] >= other[0] ? other : one;
}
