import { Injectable } from '@nestjs/common';
import { leastUuidAt, timeOfUuidV7 } from '../../common/crypto/uuid-v7.js';
import { found } from '../../common/errors/kinds.js';
import { pageOf, startOf } from '../../common/http/cursor.js';
import { inSteps, stepsOf } from '../../common/http/time-steps.js';
import { hasMore } from '../../database/bounded-rows.js';
import { type CountedPage, timeOf } from '../counted-lists.js';
import { searchPattern } from '../search-text.js';
import { eventLevels, eventStages } from '../vocabulary.js';
import { afterSnapshot, brokenArrival, decodeArrival, encodeArrival } from './arrival-cursor.js';
import type { EventFilters } from './event-filters.js';
import type { EventHistogram, EventHistogramFilter } from './event-histogram.shapes.js';
import { toEventBucket, toScanEventSummary } from './scan-events.mapper.js';
import { ScanEventsRepository } from './scan-events.repository.js';
import type {
  EventArrivalFilter,
  EventArrivals,
  EventConditions,
  EventFilter,
  ScanEvent,
  ScanEventSummary,
} from './scan-events.shapes.js';

// Unspecified: how many steps a histogram has at most; more than a screen can show.
const maxSteps = 1_000;

/** Reads the events of an organization's scans. */
@Injectable()
export class ScanEventsService {
  constructor(private readonly repository: ScanEventsRepository) {}

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
    const counts = await this.repository.histogram(organizationId, steps, filtersOf(asked));
    return { interval, from: steps.from, to: steps.to, buckets: inSteps(steps, counts, toEventBucket) };
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
    const position = decodeArrival(after);
    const { now, fromElsewhere, rows } = await this.repository.arrivals(organizationId, position, size + 1, filters);
    if (fromElsewhere) throw brokenArrival('The database was restored since that answer: begin without a cursor');
    const kept = rows.slice(0, size);
    const last = kept.at(-1);
    const until = position.until ?? now;
    const more = (rows[0]?.total ?? 0) > kept.length;
    const next =
      more && last ? { seen: position.seen, until, arrived: last.arrived, id: last.id } : afterSnapshot(until);
    return {
      data: kept.map(toScanEventSummary),
      nextCursor: encodeArrival(next),
      more: more || position.until !== null,
    };
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

/** The distinct values of a filter; undefined for no value or all values, which filter nothing. */
function values<T extends string>(list: readonly T[] | undefined, all?: readonly T[]): readonly T[] | undefined {
  const distinct = [...new Set(list)];
  return distinct.length === 0 || distinct.length === all?.length ? undefined : distinct;
}

function ids(list: readonly string[] | undefined): readonly string[] | undefined {
  return values(list?.map((id) => id.toLowerCase()));
}

function filtersOf(asked: EventConditions): EventFilters {
  return {
    search: searchPattern(asked.search),
    profileIds: ids(asked.profileIds),
    scanIds: ids(asked.scanIds),
    assetIds: ids(asked.assetIds),
    issueIds: ids(asked.issueIds),
    stages: values(asked.stages, eventStages),
    levels: values(asked.levels, eventLevels),
    hasAttachments: asked.hasAttachments,
    attachments: values(asked.attachments),
  };
}
