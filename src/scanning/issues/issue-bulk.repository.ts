import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { Parameters } from '../../database/filtered-statement.js';
import { Searches } from '../../database/searches.js';
import { type IssueFilters, issueConditions } from './issue-filters.statements.js';
import type { IssueState } from './issue-state.js';
import type { IssueChanges } from './issue-triage.dto.js';
import { stateColumns } from './issue-triage.repository.js';

/** The issues that a bulk change is about. */
export interface BulkMatches {
  matching: number;
  changing: number;
  /** The newest of those that change. */
  ids: string[];
}

/** An issue with what a list shows of it. */
export type ShownState = IssueState & { name: string; assetName: string };

/** SQL of whether issue `i` differs from each of the changes. */
const differences = {
  status: (value: string) => `i.status <> ${value}`,
  severity: (value: string) => `(i.severity <> ${value} OR i.severity_set_by IS NULL)`,
  assigneeId: (value: string) => `i.assignee_id IS DISTINCT FROM ${value}::uuid`,
  dueAt: (value: string) => `i.due_at IS DISTINCT FROM ${value}::timestamptz(3)`,
  acceptedUntil: (value: string) => `i.accepted_until IS DISTINCT FROM ${value}::timestamptz(3)`,
  acceptedReason: (value: string) => `i.accepted_reason IS DISTINCT FROM ${value}`,
  externalUrl: (value: string) => `i.external_url IS DISTINCT FROM ${value}`,
};

/** What an issue without the field has. */
const absent: Partial<Record<keyof typeof differences, string>> = {
  severity: 'i.severity_set_by IS NOT NULL',
  acceptedUntil: 'i.accepted_until IS NOT NULL',
  acceptedReason: 'i.accepted_reason IS NOT NULL',
};

function differs(changes: IssueChanges, parameters: Parameters): string {
  const pieces = Object.entries(differences).flatMap(([field, sql]) => {
    const value = changes[field as keyof typeof differences];
    if (value === undefined) return [];
    if (value === null) return absent[field as keyof typeof differences] ?? sql('NULL');
    return sql(parameters.add(value));
  });
  return `(${pieces.join(' OR ')})`;
}

@Injectable()
export class IssueBulkRepository {
  constructor(
    private readonly database: Database,
    private readonly searches: Searches,
  ) {}

  /** Counts what matches and what would change, and returns the ids of the first `limit`; throws as `Searches` does. */
  async find(organizationId: string, given: IssueFilters, changes: IssueChanges, limit: number): Promise<BulkMatches> {
    const parameters = new Parameters([organizationId, limit]);
    const conditions = issueConditions.sql(given, parameters);
    const sql = `
      WITH matching AS MATERIALIZED (
        SELECT i.id, i.created_at, ${differs(changes, parameters)} AS differs FROM issues i
         WHERE i.organization_id = $1${conditions})
      SELECT (SELECT count(*) FROM matching)::integer AS matching,
             (SELECT count(*) FROM matching WHERE differs)::integer AS changing,
             ARRAY(SELECT id FROM matching WHERE differs ORDER BY created_at DESC, id DESC LIMIT $2) AS ids`;
    const [row] = await this.searches.rows<BulkMatches & object>(organizationId, sql, parameters.values);
    return row ?? { matching: 0, changing: 0, ids: [] };
  }

  /**
   * The states of those of these issues that still match, locked until the unit of work ends, in the order of appends. Those
   * that an import or another change has in hand are left out, so that neither waits for the other.
   */
  freeForUpdate(organizationId: string, ids: string[], given: IssueFilters): Promise<IssueState[]> {
    const parameters = new Parameters([organizationId, ids]);
    const conditions = issueConditions.sql(given, parameters);
    const sql = `
      SELECT ${stateColumns} FROM issues i WHERE i.organization_id = $1 AND i.id = ANY($2::uuid[])${conditions}
       ORDER BY i.identity FOR NO KEY UPDATE OF i SKIP LOCKED`;
    return this.database.rows<IssueState & object>(sql, parameters.values);
  }

  /** The states of issues, in this order, with their names. */
  shown(organizationId: string, ids: string[]): Promise<ShownState[]> {
    const sql = `
      SELECT ${stateColumns}, i.name, a.name AS "assetName"
        FROM unnest($2::uuid[]) WITH ORDINALITY AS wanted(id, place)
        JOIN issues i ON i.id = wanted.id AND i.organization_id = $1
        JOIN assets a ON a.id = i.asset_id
       ORDER BY wanted.place`;
    return this.database.rows<ShownState & object>(sql, [organizationId, ids]);
  }
}
