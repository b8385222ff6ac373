import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { issuePlace } from '../issues/issue-place.statements.js';
import { issueSeverities, type IssueSeverity } from '../vocabulary.js';
import type { NoticeRoot } from './notice.js';

/** A thing as it is stored; its texts may hold anything. */
export interface FactRow {
  id: string;
  name: string;
  severity: IssueSeverity | null;
  category: string;
  status: string;
  place: string | null;
  asset: string | null;
}

const counts = `
  SELECT severity, count(*)::integer AS count FROM issues
   WHERE organization_id = $1 AND id = ANY ($2::uuid[]) GROUP BY severity`;

const worstFirst = `array_position(ARRAY['${issueSeverities.join("', '")}'], i.severity)`;

const chosen = (root: NoticeRoot, order = 'created_at DESC, id DESC'): string =>
  `(SELECT * FROM ${root} i WHERE i.organization_id = $1 AND i.id = ANY ($2::uuid[]) ORDER BY ${order} LIMIT $3)`;

const plain = (root: NoticeRoot, status: string): string => `
  SELECT i.id, left(i.name, 300) AS name, NULL AS severity, '' AS category, ${status} AS status, NULL AS place,
         NULL AS asset
    FROM ${chosen(root)} AS i ORDER BY i.created_at DESC, i.id DESC`;

const rows: Record<NoticeRoot, string> = {
  issues: `
    SELECT i.id, left(i.name, 300) AS name, i.severity, i.category, i.status, ${issuePlace('i.id')} AS place,
           left(a.name, 300) AS asset
      FROM ${chosen('issues', `${worstFirst}, i.created_at DESC, i.id DESC`)} AS i
      JOIN assets a ON a.id = i.asset_id
     ORDER BY ${worstFirst}, i.created_at DESC, i.id DESC`,
  scans: `
    SELECT i.id, left(p.name, 300) AS name, NULL AS severity, i.kind AS category, i.status,
           left(i.failure_reason, 300) AS place,
           (SELECT left(string_agg(a.name, ', ' ORDER BY a.name), 300)
              FROM (SELECT asset_id FROM scan_assets WHERE scan_id = i.id LIMIT 10) AS sa
              JOIN assets a ON a.id = sa.asset_id) AS asset
      FROM ${chosen('scans')} AS i
      JOIN profiles p ON p.id = i.application_id
     ORDER BY i.created_at DESC, i.id DESC`,
  assets: plain('assets', 'i.type'),
  integrations: plain('integrations', 'i.kind'),
  locations: plain('locations', `CASE WHEN i.enabled THEN 'enabled' ELSE 'disabled' END`),
};

/** Reads what notifications say. */
@Injectable()
export class NoticeFactsRepository {
  constructor(private readonly database: Database) {}

  /** How many of these issues there are of each severity. */
  async counts(organizationId: string, ids: string[]): Promise<Record<IssueSeverity, number>> {
    const found = await this.database.rows<{ severity: IssueSeverity; count: number }>(counts, [organizationId, ids]);
    const all = issueSeverities.map((one) => [one, found.find(({ severity }) => severity === one)?.count ?? 0]);
    return Object.fromEntries(all) as Record<IssueSeverity, number>;
  }

  /** The first of these things: the worst issues, and the newest of everything else. */
  first(organizationId: string, root: NoticeRoot, ids: string[], limit: number): Promise<FactRow[]> {
    return this.database.rows<FactRow & Record<string, unknown>>(rows[root], [organizationId, ids, limit]);
  }
}
