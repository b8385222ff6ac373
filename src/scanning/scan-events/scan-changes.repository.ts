import { Injectable } from '@nestjs/common';
import { Database, statement } from '../../database/database.js';
import { scanColumns } from '../scans/scans.statements.js';
import type { ResourceScan } from '../scans/scans.dto.js';
import { EventServersRepository } from './event-servers.repository.js';

/** A part of an organization's arrivals: the batches from a number up to another one. */
export interface PassedBatches {
  id: string;
  from: number;
  to: number;
}

/** A scan as it is now, with its organization and the number of the batch that last changed it. */
export interface ChangedScan extends ResourceScan {
  of: string;
  number: number;
}

/** Leaves scans that changed again since to the later batch, which is still to come. */
const changedIn = (batches: string): string =>
  `SELECT b.organization_id AS "of", b.number, ${scanColumns}
     FROM ${batches}
     JOIN scans s ON s.organization_id = b.organization_id AND s.changed_in = b.arrived::text::bigint AND s.changed_at = b.appended_at
     JOIN profiles p ON p.id = s.application_id
    ORDER BY b.number`;

export const changedOfMany = statement(
  'scan-changes.of-many',
  changedIn(`json_to_recordset($1::json) AS asked(id uuid, "from" bigint, "to" bigint)
     JOIN event_batches b ON b.organization_id = asked.id AND b.number >= asked."from" AND b.number < asked."to"`),
);

export const changedOfOne = statement(
  'scan-changes.of-one',
  changedIn(`(SELECT b.* FROM event_batches b
      WHERE b.organization_id = $1 AND b.number >= $2 AND b.number < $3) AS b`),
);

/** The most scans of one page of arrivals. */
const mostScans = 1_000;

/** The first of them. */
const firstOfOne = statement(
  'scan-changes.first-of-one',
  changedIn(`(SELECT b.* FROM event_batches b
      WHERE b.organization_id = $1 AND b.number >= $2 AND b.number < $3) AS b`).concat(` LIMIT ${mostScans + 1}`),
);

@Injectable()
export class ScanChangesRepository {
  constructor(
    private readonly database: Database,
    private readonly servers: EventServersRepository,
  ) {}

  /** The scans that these batches of each organization changed last. */
  async changedIn(passed: PassedBatches[]): Promise<Map<string, ChangedScan[]>> {
    const asked = passed.filter(({ from, to }) => from < to);
    const byOrganization = new Map<string, ChangedScan[]>();
    for (const scan of asked.length === 0 ? [] : await this.rowsOf(asked)) {
      const scans = byOrganization.get(scan.of) ?? [];
      scans.push(scan);
      byOrganization.set(scan.of, scans);
    }
    return byOrganization;
  }

  /**
   * The scans that these batches changed last, as many as fit a page, and the batch before which they end: `to`, or an earlier
   * one. The scans of one batch come together.
   */
  async firstChangedIn({ id, from, to }: PassedBatches): Promise<{ scans: ChangedScan[]; to: number }> {
    if (from >= to) return { scans: [], to };
    const rows = await this.database.rows<ChangedScan>(firstOfOne, [id, from, to]);
    const end = rows[mostScans]?.number ?? to;
    if (rows[0]?.number === end) {
      const ofBatch = await this.changedIn([{ id, from: end, to: end + 1 }]);
      return { scans: ofBatch.get(id) ?? [], to: end + 1 };
    }
    return { scans: rows.filter(({ number }) => number < end), to: end };
  }

  private async rowsOf(asked: PassedBatches[]): Promise<ChangedScan[]> {
    const [first] = asked;
    if (first && asked.length > 1 && !this.servers.areSeveral) {
      return this.database.rows<ChangedScan>(changedOfMany, [JSON.stringify(asked)]);
    }
    const rows: ChangedScan[][] = [];
    for (const { id, from, to } of asked) rows.push(await this.database.rows(changedOfOne, [id, from, to]));
    return rows.flat();
  }
}
