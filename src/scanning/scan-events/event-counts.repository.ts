import { Injectable } from '@nestjs/common';
import type { TimeBuckets } from '../../platform/http/time-buckets.js';
import { Database, statement } from '../../database/database.js';
import type { EventCount } from './scan-events.repository.js';

const inBuckets = statement(
  'event-counts.in-steps',
  `SELECT width_bucket(hour, $2::timestamptz[]) AS step, level, sum(count)::bigint AS count
     FROM scan_event_counts
    WHERE organization_id = $1 AND hour >= $3 AND hour < $4 AND ($5::text[] IS NULL OR level = ANY($5))
    GROUP BY step, level`,
);

const unmerged = statement(
  'event-counts.unmerged',
  `SELECT DISTINCT organization_id AS id FROM scan_event_counts -- of all organizations
    WHERE backend <> 0 AND hour < $1 LIMIT 1000`,
);

/** Leaves rows of transactions in progress for the next time. */
const merge = statement(
  'event-counts.merge',
  `WITH counted AS (
     DELETE FROM scan_event_counts WHERE organization_id = $2 AND (hour, level, backend) IN (
       SELECT hour, level, backend FROM scan_event_counts
        WHERE organization_id = $2 AND backend <> 0 AND hour < $1 FOR UPDATE SKIP LOCKED)
     RETURNING *)
   INSERT INTO scan_event_counts AS c (organization_id, hour, level, backend, count)
   SELECT organization_id, hour, level, 0, sum(count) FROM counted GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
   ON CONFLICT (organization_id, hour, level, backend) DO UPDATE SET count = c.count + excluded.count`,
);

const removeBetween = `
  DELETE FROM scan_event_counts -- of all organizations
   WHERE hour >= $1 AND hour < $2`;

/** The numbers of events by hour and level. A trigger updates them wherever events are added. */
@Injectable()
export class EventCountsRepository {
  constructor(private readonly database: Database) {}

  /** The number of an organization's events in steps of whole hours, of some levels or of all. */
  inBuckets(
    organizationId: string,
    { starts, from, to }: TimeBuckets,
    levels?: readonly string[],
  ): Promise<EventCount[]> {
    const values = [organizationId, starts, from, to, levels ?? null];
    return this.database.rows<EventCount & Record<string, unknown>>(inBuckets, values);
  }

  /** Merges the counts of each hour before a moment into one, an organization at a time. */
  async merge(before: Date, signal?: AbortSignal): Promise<void> {
    for (let merged = 1; merged > 0;) {
      merged = 0;
      for (const { id } of await this.database.rows<{ id: string }>(unmerged, [before])) {
        signal?.throwIfAborted();
        merged += await this.database.execute(merge, [before, id]);
      }
    }
  }

  /** Removes the counts of dropped events. */
  async removeBetween(from: Date, to: Date): Promise<void> {
    await this.database.execute(removeBetween, [from, to]);
  }

  /** Removes those of organizations that are about to be deleted. */
  async removeOf(organizationIds: readonly string[]): Promise<void> {
    await this.database.execute('DELETE FROM scan_event_counts WHERE organization_id = ANY($1::uuid[])', [
      organizationIds,
    ]);
  }
}
