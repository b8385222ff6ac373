import { Injectable } from '@nestjs/common';
import { leastUuidAt, timeOfUuidV7 } from '../../common/crypto/uuid-v7.js';
import { found } from '../../common/errors/kinds.js';
import { pageOf, startOf } from '../../common/http/cursor.js';
import { inSteps, stepsOf, type TimeSteps } from '../../common/http/time-steps.js';
import { hasMore } from '../../database/bounded-rows.js';
import { type CountedPage, timeOf } from '../counted-lists.js';
import { afterSnapshot, type ArrivalPosition, brokenArrival, decodeArrival, encodeArrival } from './arrival-cursor.js';
import { filtersOf } from './asked-filters.js';
import { EventCountsRepository } from './event-counts.repository.js';
import { areAny, type EventFilters } from './event-filters.js';
import type { EventHistogram, EventHistogramFilter } from './event-histogram.shapes.js';
import { toEventBucket, toScanEventSummary } from './scan-events.mapper.js';
import { type EventCount, type EventListRow, ScanEventsRepository } from './scan-events.repository.js';
import type {
  EventArrivalFilter,
  EventArrivals,
  EventFilter,
  ScanEvent,
  ScanEventSummary,
} from './scan-events.shapes.js';

// Unspecified: how many steps a histogram has at most; more than a screen can show.
const maxSteps = 1_000;

/** Events that arrived after a position, in their order. */
export interface ArrivalPage {
  rows: EventListRow[];
  /** The position that they follow. */
  seen: string;
  /** The snapshot that they are in. */
  until: string;
  /** The position after them. */
  next: ArrivalPosition;
  /** Whether more have arrived already. */
  more: boolean;
}

/** Reads the events of an organization's scans. */
@Injectable()
export class ScanEventsService {
  constructor(
    private readonly repository: ScanEventsRepository,
    private readonly counts: EventCountsRepository,
  ) {}

  /**
   * Returns a page of events, newest first. The cursor is a position in time: what follows it, back-dated events included,
   * is listed once. `Invalid` for a broken cursor, and for a `search` that is too short or takes too long; `RateExceeded`
   * where the organization has too many searches under way.
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

  /**
   * Counts events by level over time. `Invalid` for more than 1,000 steps, and where `from` is not before `to`;
   * `RateExceeded` as `list`.
   */
  async histogram(
    organizationId: string,
    { interval, from, to, ...asked }: EventHistogramFilter,
  ): Promise<EventHistogram> {
    const steps = stepsOf({ from, to }, interval, maxSteps);
    const counts = await this.countsIn(organizationId, steps, filtersOf(asked));
    return { interval, from: steps.from, to: steps.to, buckets: inSteps(steps, counts, toEventBucket) };
  }

  /** What filters by level alone is counted already; all else is counted among the events. */
  private countsIn(organizationId: string, steps: TimeSteps, filters: EventFilters): Promise<EventCount[]> {
    const { levels, ...others } = filters;
    return areAny(others)
      ? this.repository.histogram(organizationId, steps, filters)
      : this.counts.inSteps(organizationId, steps, levels);
  }

  /**
   * Returns what arrived since an earlier response, back-dated events included, each exactly once. Without a cursor it
   * returns no events, and a cursor for what arrives from now on. `Invalid` and `RateExceeded` as `list`.
   */
  async arrivals(organizationId: string, { size, after, ...asked }: EventArrivalFilter): Promise<EventArrivals> {
    const filters = filtersOf(asked);
    if (after === undefined) {
      return { data: [], nextCursor: encodeArrival(afterSnapshot(await this.repository.snapshot())), more: false };
    }
    const { rows, next, more } = await this.arrivedAfter(organizationId, decodeArrival(after), size, filters);
    return { data: rows.map(toScanEventSummary), nextCursor: encodeArrival(next), more };
  }

  /** Returns what arrived after a position, `size` events at most. `Invalid` and `RateExceeded` as `list`. */
  async arrivedAfter(
    organizationId: string,
    position: ArrivalPosition,
    size: number,
    filters: EventFilters,
  ): Promise<ArrivalPage> {
    const { now, fromElsewhere, rows } = await this.repository.arrivals(organizationId, position, size + 1, filters);
    if (fromElsewhere) throw brokenArrival('The database was restored since that answer: begin without a cursor');
    const kept = rows.slice(0, size);
    const last = kept.at(-1);
    const [seen, until] = [position.seen, position.until ?? now];
    const more = (rows[0]?.total ?? 0) > kept.length;
    const next = more && last ? { seen, until, arrived: last.arrived, id: last.id } : afterSnapshot(until);
    return { rows: kept, seen, until, next, more: more || position.until !== null };
  }
}

type Position = ReturnType<typeof startOf>;

/** The position that events before a time come after: an index reaches it without passing over what is newer. */
function endOf(until: string | undefined): Position {
  if (until === undefined) return startOf(undefined);
  const time = new Date(until);
  return [time, leastUuidAt(time)];
}

function earlier(one: Position, other: Position): Position {
  if (other[0] === 'infinity') return one;
  return one[0] === 'infinity' || one[0] >= other[0] ? other : one;
}
