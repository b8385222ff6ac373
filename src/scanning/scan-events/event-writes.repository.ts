import { Injectable } from '@nestjs/common';
import { Database, statement } from '../../database/database.js';
import type { Month } from '../../database/months.js';
import type { ScanContext } from '../scans/scan-context.js';
import { lineColumns } from './event-line.js';
import type { EventTally } from './event-tally.js';

const append = statement('scan-events.append', 'SELECT append_events($1, $2, $3, $4::json) AS count');
const countCopied = statement('scan-events.count-copied', 'SELECT count_copied_events($1, $2::json)');

const foreign = (table: 'assets' | 'issues') =>
  `SELECT given AS id FROM unnest($2::uuid[]) AS given
    WHERE NOT EXISTS (SELECT FROM ${table} WHERE organization_id = $1 AND id = given) LIMIT 1`;
const foreignOf = {
  assets: statement('scan-events.foreign-asset', foreign('assets')),
  issues: statement('scan-events.foreign-issue', foreign('issues')),
};

@Injectable()
export class EventWritesRepository {
  constructor(private readonly database: Database) {}

  /** Appends the new ones of a batch, a JSON array of `EventRow`s; returns their number. */
  async append({ organizationId, id, profileId }: ScanContext, batch: string): Promise<number> {
    const values = [organizationId, id, profileId, batch];
    return (await this.database.one<{ count: number }>(append, values)).count;
  }

  /** Copies events of one month with new ids, in lines of `beginLine` and `endLine`; returns their number. */
  copy({ name }: Month, lines: readonly string[]): Promise<number> {
    return this.database.copy(`COPY ${name} (${lineColumns}) FROM STDIN`, lines);
  }

  /** Call it once, after the unit of work has copied everything for an organization. */
  async countCopied(organizationId: string, tally: EventTally): Promise<void> {
    await this.database.execute(countCopied, [organizationId, JSON.stringify(tally)]);
  }

  /** An id that the organization does not have, or null. */
  async foreign(table: 'assets' | 'issues', organizationId: string, ids: string[]): Promise<string | null> {
    const row = await this.database.row<{ id: string }>(foreignOf[table], [organizationId, ids]);
    return row?.id ?? null;
  }

  /** Deletes the events of organizations that are about to be deleted. */
  async removeOf(organizationIds: string[]): Promise<void> {
    await this.database.execute('DELETE FROM scan_events WHERE organization_id = ANY($1::uuid[])', [organizationIds]);
  }
}
