import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, Repository } from 'typeorm';
import { Database, statement } from '../../database/database.js';
import { FilteredStatement, type Given } from '../../database/filtered-statement.js';
import { boundedCount, madeBetween } from '../counted-lists.statements.js';
import type { ScanKind, ScanStatus } from '../vocabulary.js';
import type { ScanContext } from './scan-context.js';
import { ScanEntity } from './scan.entity.js';
import { scanColumns } from './scans.statements.js';
import type { ResourceScan } from './scans.dto.js';

export interface ScanRow {
  id: string;
  organizationId: string;
  applicationId: string;
  kind: ScanKind;
  status: ScanStatus;
  locationId: string | null;
  progressRatio: number;
  finished: boolean;
  assetIds: string[];
  sources: ScanSources;
}

/** What was scanned and by what, as far as somebody says. */
export interface ScanSources {
  branch: string | null;
  commit: string | null;
  pullRequest: string | null;
  tool: string | null;
  toolVersion: string | null;
  failureReason: string | null;
  /** Whether it is of another branch than the default one. */
  branchOnly: boolean;
}

export interface MissingReferences {
  profile: boolean;
  location: boolean;
  assetId: string | null;
}

const filters = {
  statuses: (values: string) => `s.status = ANY(${values}::text[])`,
  kinds: (values: string) => `s.kind = ANY(${values}::text[])`,
  profileIds: (values: string) => `s.application_id = ANY(${values}::uuid[])`,
  assetIds: (values: string) =>
    `EXISTS (SELECT FROM scan_assets a WHERE a.scan_id = s.id AND a.asset_id = ANY(${values}::uuid[]))`,
  branch: (name: string) => `s.branch = ${name}`,
  commit: (id: string) => `s.commit_id = ${id}`,
  pullRequest: (number: string) => `s.pull_request = ${number}`,
  tool: (name: string) => `s.tool = ${name}`,
  ...madeBetween('s'),
};
export type ScanFilters = Given<keyof typeof filters>;

const page = new FilteredStatement(
  'scans.page',
  filters,
  (conditions) =>
    `SELECT ${scanColumns} FROM scans s JOIN profiles p ON p.id = s.application_id
      WHERE s.organization_id = $1 AND (s.created_at, s.id) < ($2, $3)${conditions}
      ORDER BY s.created_at DESC, s.id DESC LIMIT $4`,
);

const total = new FilteredStatement('scans.total', filters, (conditions) =>
  boundedCount(`scans s WHERE s.organization_id = $1${conditions}`),
);

const byId = statement(
  'scans.by-id',
  `SELECT ${scanColumns} FROM scans s JOIN profiles p ON p.id = s.application_id
    WHERE s.organization_id = $1 AND s.id = $2`,
);

/** One more than an event may name, so that the reader sees that there are more. */
const someAssets = 101;

const contextOf = statement(
  'scans.context',
  `SELECT s.id, s.organization_id AS "organizationId", s.application_id AS "profileId",
          ARRAY(SELECT asset_id FROM scan_assets WHERE scan_id = s.id ORDER BY asset_id LIMIT ${someAssets}) AS "assetIds",
          s.branch, s.pull_request AS "pullRequest",
          (SELECT nullif(r.tool, '') FROM scan_reports r WHERE r.scan_id = s.id) AS tool
     FROM scans s WHERE s.organization_id = $1 AND s.id = $2`,
);

const statusForUpdate = statement(
  'scans.status-for-update',
  'SELECT status FROM scans WHERE organization_id = $1 AND id = $2 FOR NO KEY UPDATE',
);

const missing = statement(
  'scans.missing-references',
  `SELECT NOT EXISTS (SELECT FROM profiles WHERE organization_id = $1 AND id = $2) AS profile,
          $3::uuid IS NOT NULL
            AND NOT EXISTS (SELECT FROM locations WHERE organization_id = $1 AND id = $3) AS location,
          (SELECT given FROM unnest($4::uuid[]) AS given
            WHERE NOT EXISTS (SELECT FROM assets WHERE organization_id = $1 AND id = given) LIMIT 1) AS "assetId"`,
);

const insert = statement(
  'scans.insert',
  `WITH scan AS (
     INSERT INTO scans (id, organization_id, application_id, kind, status, location_id, progress_ratio, finished_at,
                        branch, commit_id, pull_request, tool, tool_version, failure_reason, branch_only)
     VALUES ($1, $2, $3, $4, $5, $6, $7, CASE WHEN $8 THEN now() END, $10, $11, $12, $13, $14, $15, $16)
     RETURNING id
   )
   INSERT INTO scan_assets (scan_id, asset_id) SELECT scan.id, asset FROM scan, unnest($9::uuid[]) AS asset`,
);

const update = statement(
  'scans.update',
  `UPDATE scans
      SET status = $3, progress_ratio = coalesce($4, progress_ratio), updated_at = now(),
          finished_at = CASE WHEN $5 THEN now() ELSE finished_at END, failure_reason = coalesce($6, failure_reason)
    WHERE organization_id = $1 AND id = $2`,
);

@Injectable()
export class ScansRepository {
  constructor(
    private readonly database: Database,
    @InjectRepository(ScanEntity) private readonly scans: Repository<ScanEntity>,
  ) {}

  page(organizationId: string, after: unknown[], limit: number, given: ScanFilters): Promise<ResourceScan[]> {
    const { statement: sql, values } = page.of([organizationId, ...after, limit], given);
    return this.database.rows<ResourceScan>(sql, values);
  }

  /** The number of matches, counted up to the bound of lists. */
  async total(organizationId: string, given: ScanFilters): Promise<number> {
    const { statement: sql, values } = total.of([organizationId], given);
    return (await this.database.one<{ totalCount: number }>(sql, values)).totalCount;
  }

  byId(organizationId: string, id: string): Promise<ResourceScan | null> {
    return this.database.row<ResourceScan>(byId, [organizationId, id]);
  }

  contextOf(organizationId: string, id: string): Promise<ScanContext | null> {
    return this.database.row<ScanContext>(contextOf, [organizationId, id]);
  }

  /** The status of a scan; blocks concurrent changes of it until the unit of work ends. */
  async statusForUpdate(organizationId: string, id: string): Promise<ScanStatus | null> {
    const row = await this.database.row<{ status: ScanStatus }>(statusForUpdate, [organizationId, id]);
    return row?.status ?? null;
  }

  /** The parts of the scan that do not belong to its organization. */
  missing({ organizationId, applicationId, locationId, assetIds }: ScanRow): Promise<MissingReferences> {
    return this.database.one<MissingReferences>(missing, [organizationId, applicationId, locationId, assetIds]);
  }

  async insert(scan: ScanRow): Promise<void> {
    const { id, organizationId, applicationId, kind, status, locationId, progressRatio, finished, assetIds } = scan;
    const { branch, commit, pullRequest, tool, toolVersion, failureReason, branchOnly } = scan.sources;
    const own = [id, organizationId, applicationId, kind, status, locationId, progressRatio, finished, assetIds];
    const values = [...own, branch, commit, pullRequest, tool, toolVersion, failureReason, branchOnly];
    await this.database.execute(insert, values);
  }

  /** A null `progressRatio` leaves it as it is; `finished` sets the time of the scan's end. */
  async update(
    organizationId: string,
    id: string,
    changes: { status: ScanStatus; progressRatio: number | null; finished: boolean; failureReason: string | null },
  ): Promise<void> {
    const { status, progressRatio, finished, failureReason } = changes;
    await this.database.execute(update, [organizationId, id, status, progressRatio, finished, failureReason]);
  }

  /** Deletes the scans of organizations that are about to be deleted. */
  async removeOf(organizationIds: string[]): Promise<void> {
    await this.scans.delete({ organizationId: In(organizationIds) });
  }
}
