import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database, statement } from '../../database/database.js';
import type { AssetRecord } from '../assets/asset-draft.js';

export type AssetNameRow = Pick<AssetRecord, 'id' | 'uri' | 'name' | 'type' | 'class'>;

function md5(text: string): string {
  return createHash('md5').update(text).digest('hex');
}

/** Imports of many findings take longer than other requests; their statements may wait for another import. */
const statementTimeoutMs = 600_000;

/** The assets of the uris, then those of the name: the trigram index serves the comparison of names too. */
const assetsNamed = statement(
  'reports.assets-named',
  `SELECT id, uri, name, type, class FROM assets
    WHERE organization_id = $1 AND md5(uri) = ANY($2::text[])
   UNION ALL
   (SELECT id, uri, name, type, class FROM assets
     WHERE organization_id = $1 AND name = $3 AND md5(uri) <> ALL($2::text[])
     ORDER BY created_at, id LIMIT $4)`,
);

const targetsOf = statement(
  'reports.targets',
  'SELECT count(*) AS count FROM issue_targets WHERE scan_id = ANY($1::uuid[])',
);

@Injectable()
export class ReportsRepository {
  constructor(private readonly database: Database) {}

  /**
   * Waits until no other import of the same profile is running on any node: two imports of one report then find the same
   * profile, and write the same issues one after the other.
   */
  async lockProfile(organizationId: string, profile: string): Promise<void> {
    await this.database.execute(`SELECT set_config('statement_timeout', $1, true)`, [String(statementTimeoutMs)]);
    const key = JSON.stringify(['report-import', organizationId, profile]);
    await this.database.execute('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [key]);
  }

  /** The assets of the uris, then the oldest ones of the name. */
  assetsNamed(organizationId: string, uris: string[], name: string, atMost: number): Promise<AssetNameRow[]> {
    const digests = uris.map((uri) => md5(uri));
    return this.database.rows<AssetNameRow>(assetsNamed, [organizationId, digests, name, atMost]);
  }

  /** The number of targets that scans found. */
  async targetsOf(scanIds: string[]): Promise<number> {
    return (await this.database.one<{ count: number }>(targetsOf, [scanIds])).count;
  }
}
