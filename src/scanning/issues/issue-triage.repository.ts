import { Injectable } from '@nestjs/common';
import { Database, statement } from '../../database/database.js';
import type { IssueSeverity, IssueStatus } from '../vocabulary.js';
import type { Person } from './issues.dto.js';

/** The status and severity of an issue, and who set them: a user, or else the scanner. */
export interface IssueState {
  id: string;
  status: IssueStatus;
  statusSetBy: Person | null;
  severity: IssueSeverity;
  severitySetBy: Person | null;
  /** The severity that the newest scan gave. */
  toolSeverity: IssueSeverity;
}

/** Locks in the same order as appends do, so that the two wait for each other without a deadlock. */
const statesForUpdate = statement(
  'issues.states-for-update',
  `SELECT id, status, status_set_by AS "statusSetBy", severity, severity_set_by AS "severitySetBy",
          coalesce(tool_severity, severity) AS "toolSeverity"
     FROM issues WHERE organization_id = $1 AND id = ANY($2::uuid[]) ORDER BY identity FOR NO KEY UPDATE`,
);

const update = statement(
  'issues.update-states',
  `UPDATE issues i
      SET status = n.status, status_set_by = n."statusSetBy", severity = n.severity, severity_set_by = n."severitySetBy",
          tool_severity = CASE WHEN n."severitySetBy" IS NOT NULL THEN n."toolSeverity" END, updated_at = now(),
          full_name = CASE WHEN full_name = name || ' (' || lower(i.severity) || ' risk)'
                           THEN name || ' (' || lower(n.severity) || ' risk)' ELSE full_name END
     FROM json_to_recordset($2::json) AS n(id uuid, status text, "statusSetBy" text, severity text, "severitySetBy" text,
                                           "toolSeverity" text)
    WHERE i.organization_id = $1 AND i.id = n.id`,
);

@Injectable()
export class IssueTriageRepository {
  constructor(private readonly database: Database) {}

  /** The states of the organization's issues among these; blocks concurrent changes until the unit of work ends. */
  statesForUpdate(organizationId: string, ids: string[]): Promise<IssueState[]> {
    return this.database.rows<IssueState & Record<string, unknown>>(statesForUpdate, [organizationId, ids]);
  }

  async update(organizationId: string, states: IssueState[]): Promise<void> {
    if (states.length > 0) await this.database.execute(update, [organizationId, JSON.stringify(states)]);
  }
}
