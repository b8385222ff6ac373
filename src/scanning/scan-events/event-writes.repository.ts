import { Injectable } from '@nestjs/common';
import { Database, statement } from '../../database/database.js';
import type { ScanContext } from '../scans/scan-context.js';
import { lineColumns } from './event-line.js';

/** In one order, so that repeats of the same events wait for each other without a deadlock. */
const insert = statement(
  'scan-events.insert',
  `INSERT INTO scan_events (organization_id, scan_id, profile_id, id, created_at, level, stage, title, description,
                            asset_ids, issue_ids, attachments, attachment_types, attachment_text)
   SELECT $1, $2, $3, e.id, e.created_at, e.level, e.stage, e.title, e.description,
          e.asset_ids, e.issue_ids, e.attachments, e.attachment_types, e.attachment_text
     FROM json_to_recordset($4::json) AS e(
            id uuid, created_at timestamptz, level text, stage text, title text, description text, asset_ids uuid[],
            issue_ids uuid[], attachments json, attachment_types text[], attachment_text text)
    ORDER BY e.id, e.created_at
   ON CONFLICT DO NOTHING`,
);

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

  /** Inserts a batch, a JSON array of `EventRow`s; returns how many were new. */
  insert({ organizationId, id, profileId }: ScanContext, batch: string): Promise<number> {
    return this.database.execute(insert, [organizationId, id, profileId, batch]);
  }

  /** Inserts events whose ids are new, in lines of `beginLine` and `endLine`; returns how many. */
  copy(lines: Iterable<string>): Promise<number> {
    return this.database.copy(`COPY scan_events (${lineColumns}) FROM STDIN`, lines);
  }

  /** One of the ids that the organization does not have, or null. */
  async foreign(table: 'assets' | 'issues', organizationId: string, ids: string[]): Promise<string | null> {
    const row = await this.database.row<{ id: string }>(foreignOf[table], [organizationId, ids]);
    return row?.id ?? null;
  }

  /** Deletes the events of organizations that are about to be deleted. */
  async removeOf(organizationIds: string[]): Promise<void> {
    await this.database.execute('DELETE FROM scan_events WHERE organization_id = ANY($1::uuid[])', [organizationIds]);
  }
}
