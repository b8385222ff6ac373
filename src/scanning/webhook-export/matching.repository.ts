import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import type { WorkflowTriggerType } from '../vocabulary.js';
import {
  assetMatches,
  issueMatches,
  nameMatches,
  profileMatches,
  scanMatches,
} from '../workflows/conditions.statements.js';
import { type PayloadRoot, payloadRoots } from '../workflows/payload-roots.js';
import { type Subject, subjectOf } from '../workflows/subjects.js';
import type { WorkflowConditions } from '../workflows/workflows.dto.js';

/** The ids of what a payload contains, newest first. */
export type MatchingIds = Record<PayloadRoot, string[]>;

export interface MatchingQuery {
  organizationId: string;
  trigger: WorkflowTriggerType;
  conditions: WorkflowConditions;
  /** The subjects of the trigger; null for everything. */
  subjects: string[] | null;
  /** The most ids of a root. */
  limit: number;
}

const matchesOf: Record<PayloadRoot, (row: string, conditions: string) => string> = {
  issues: issueMatches,
  assets: assetMatches,
  scans: scanMatches,
  profiles: profileMatches,
  locations: nameMatches,
  integrations: nameMatches,
};

const matching = (root: PayloadRoot, matches = matchesOf[root]): string => `
  SELECT r.id FROM ${root} r
   WHERE r.organization_id = $1 AND ($3::uuid[] IS NULL OR r.id = ANY ($3)) AND ${matches('r', '$2::jsonb')}
   ORDER BY r.created_at DESC, r.id DESC LIMIT $4`;

/** Related rows of those found before ($2), regardless of the conditions. */
const related = {
  assetsOfIssues: 'SELECT asset_id FROM issues WHERE id = ANY ($2)',
  scansOfIssues: 'SELECT scan_id FROM issues WHERE id = ANY ($2)',
  profilesOfScans: 'SELECT application_id FROM scans WHERE id = ANY ($2)',
  locationsOfScans: 'SELECT location_id FROM scans WHERE id = ANY ($2)',
};

const issuesOfScans = `
  SELECT i.id FROM issues i
   WHERE i.organization_id = $1 AND i.id IN (SELECT issue_id FROM issue_scans WHERE scan_id = ANY ($3))
     AND ${issueMatches('i', '$2::jsonb')}
   ORDER BY i.created_at DESC, i.id DESC LIMIT $4`;

/** Finds the matches of a workflow's conditions, by a fixed number of statements. */
@Injectable()
export class MatchingRepository {
  constructor(private readonly database: Database) {}

  /** The ids of each root that the trigger fills; the others are empty. */
  async find(query: MatchingQuery): Promise<MatchingIds> {
    const none: MatchingIds = { issues: [], assets: [], scans: [], profiles: [], locations: [], integrations: [] };
    if (query.trigger === 'MANUAL' || query.trigger === 'SCHEDULE') {
      for (const root of payloadRoots) none[root] = await this.matching(root, query);
      return none;
    }
    const { table: root, matches } = subjectOf[query.trigger];
    const found = { ...none, [root]: await this.matching(root, query, matches) };
    if (root === 'issues') return this.withIssues(found, query);
    return root === 'scans' ? this.withScans(found, query) : found;
  }

  private async withIssues(found: MatchingIds, query: MatchingQuery): Promise<MatchingIds> {
    const assets = await this.related('assets', 'assetsOfIssues', found.issues, query);
    const scans = await this.related('scans', 'scansOfIssues', found.issues, query);
    const profiles = await this.related('profiles', 'profilesOfScans', scans, query);
    return { ...found, assets, scans, profiles };
  }

  private async withScans(found: MatchingIds, query: MatchingQuery): Promise<MatchingIds> {
    const { organizationId, conditions, limit } = query;
    const issues = await this.ids(issuesOfScans, [organizationId, conditions, found.scans, limit]);
    const assets = await this.related('assets', 'assetsOfIssues', issues, query);
    const profiles = await this.related('profiles', 'profilesOfScans', found.scans, query);
    const locations = await this.related('locations', 'locationsOfScans', found.scans, query);
    return { ...found, issues, assets, profiles, locations };
  }

  private matching(
    root: PayloadRoot,
    { organizationId, conditions, subjects, limit }: MatchingQuery,
    matches?: Subject['matches'],
  ): Promise<string[]> {
    return this.ids(matching(root, matches), [organizationId, conditions, subjects, limit]);
  }

  private related(root: PayloadRoot, how: keyof typeof related, of: string[], query: MatchingQuery): Promise<string[]> {
    const sql = `SELECT id FROM ${root} WHERE organization_id = $1 AND id IN (${related[how]})
                  ORDER BY created_at DESC, id DESC LIMIT $3`;
    return this.ids(sql, [query.organizationId, of, query.limit]);
  }

  private async ids(sql: string, values: unknown[]): Promise<string[]> {
    return (await this.database.rows<{ id: string }>(sql, values)).map(({ id }) => id);
  }
}
