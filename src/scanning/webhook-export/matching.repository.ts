import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { Parameters } from '../../database/filtered-statement.js';
import { issueConditions, type IssueFilters } from '../issues/issue-filters.statements.js';
import { issuesById } from '../issues/issues-by-id.statements.js';
import type { WorkflowTriggerType } from '../vocabulary.js';
import {
  assetMatches,
  issueMatches,
  nameMatches,
  profileMatches,
  scanMatches,
} from '../workflows/conditions.statements.js';
import { scanStatusOf } from '../workflows/condition-rules.js';
import { type PayloadRoot, payloadRoots } from '../workflows/payload-roots.js';
import { type Subject, subjectOf } from '../workflows/subjects.js';
import type { WorkflowConditions } from '../workflows/workflows.dto.js';

/** The ids of what a payload contains, newest first. */
export type MatchingIds = Record<PayloadRoot, string[]>;

export interface MatchingQuery {
  organizationId: string;
  trigger: WorkflowTriggerType;
  conditions: WorkflowConditions;
  /** The subjects of the trigger; null for all that can be, which are scans of one status where the trigger is about that. */
  subjects: string[] | null;
  /** Only what has changed since then; null for everything. */
  changedSince: Date | null;
  /** The most ids of a root. */
  limit: number;
  /** The filter of the view that issues must match; null for none. */
  view: IssueFilters | null;
}

const matchesOf: Record<PayloadRoot, (row: string, conditions: string) => string> = {
  issues: issueMatches,
  assets: assetMatches,
  scans: scanMatches,
  profiles: profileMatches,
  locations: nameMatches,
  integrations: nameMatches,
};

/** Whether a row is new or has changed since $5; a finding that a scan found again as it was has not. */
const changed: Record<PayloadRoot, string> = {
  issues: `(r.created_at >= $5 OR EXISTS (
    SELECT FROM issue_activities y WHERE y.issue_id = r.id AND y.kind IN ('STATUS', 'SEVERITY') AND y.created_at >= $5))`,
  assets: 'r.created_at >= $5',
  scans: 'r.updated_at >= $5',
  profiles: 'r.updated_at >= $5',
  locations: 'r.created_at >= $5',
  integrations: 'r.updated_at >= $5',
};

const matching = (root: PayloadRoot, matches: Subject['matches'], viewed: string): string => `
  SELECT r.id FROM ${root} r
   WHERE r.organization_id = $1 AND ($3::uuid[] IS NULL OR r.id = ANY ($3)) AND ${matches('r', '$2::jsonb')}${viewed}
     AND ($5::timestamptz IS NULL OR ${changed[root]})
   ORDER BY r.created_at DESC, r.id DESC LIMIT $4`;

/**
 * SQL of whether row `r` is an issue of a view, or the scan of a trigger that found one; the view leaves other roots as they
 * are.
 */
function viewedBy(root: PayloadRoot, isSubject: boolean, view: IssueFilters, parameters: Parameters): string {
  if (root === 'issues') {
    return ` AND EXISTS (SELECT FROM issues i WHERE i.id = r.id${issueConditions.sql(view, parameters)})`;
  }
  if (root !== 'scans' || !isSubject) return '';
  return ` AND EXISTS (SELECT FROM issue_scans link JOIN issues i ON i.id = link.issue_id
                    WHERE link.scan_id = r.id AND i.organization_id = $1${issueConditions.sql(view, parameters)})`;
}

/** Related rows of those found before ($2), regardless of the conditions. */
const related = {
  assetsOfIssues: 'SELECT asset_id FROM issues WHERE id = ANY ($2)',
  scansOfIssues: 'SELECT scan_id FROM issues WHERE id = ANY ($2)',
  profilesOfScans: 'SELECT application_id FROM scans WHERE id = ANY ($2)',
  locationsOfScans: 'SELECT location_id FROM scans WHERE id = ANY ($2)',
};

/** The issues of the organization $1 that match the conditions $2 and that the scans $3 found, $4 at most. */
export const issuesOfScans = (viewed: string): string => `
  SELECT i.id FROM ${issuesById('SELECT issue_id FROM issue_scans WHERE scan_id = ANY ($3)')}
   WHERE i.organization_id = $1 AND ${issueMatches('i', '$2::jsonb')}${viewed}
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
    const { organizationId, conditions, limit, view } = query;
    const parameters = new Parameters([organizationId, conditions, found.scans, limit]);
    const sql = issuesOfScans(view ? issueConditions.sql(view, parameters) : '');
    const issues = await this.ids(sql, parameters.values);
    const assets = await this.related('assets', 'assetsOfIssues', issues, query);
    const profiles = await this.related('profiles', 'profilesOfScans', found.scans, query);
    const locations = await this.related('locations', 'locationsOfScans', found.scans, query);
    return { ...found, issues, assets, profiles, locations };
  }

  private matching(
    root: PayloadRoot,
    { organizationId, trigger, conditions, subjects, changedSince, limit, view }: MatchingQuery,
    matches?: Subject['matches'],
  ): Promise<string[]> {
    const parameters = new Parameters([organizationId, conditions, subjects, limit, changedSince]);
    const viewed = view ? viewedBy(root, matches !== undefined, view, parameters) : '';
    const status = subjects === null && matches ? scanStatusOf[trigger] : undefined;
    const ofStatus = status === undefined ? '' : ` AND r.status = '${status}'`;
    return this.ids(matching(root, matches ?? matchesOf[root], viewed + ofStatus), parameters.values);
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
