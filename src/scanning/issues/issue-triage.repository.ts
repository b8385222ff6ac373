import { Injectable } from '@nestjs/common';
import { Database, statement } from '../../database/database.js';
import type { IssueState } from './issue-state.js';

export const stateColumns = `i.id, i.status, i.status_set_by AS "statusSetBy", i.severity,
  i.severity_set_by AS "severitySetBy", coalesce(i.tool_severity, i.severity) AS "toolSeverity",
  i.assignee_id AS "assigneeId", i.due_at AS "dueAt", i.accepted_until AS "acceptedUntil",
  i.accepted_reason AS "acceptedReason", i.accepted_by AS "acceptedBy", i.accepted_by_key AS "acceptedByKey",
  i.external_url AS "externalUrl"`;

/** Locks in the same order as appends do, so that the two wait for each other without a deadlock. */
const statesForUpdate = statement(
  'issues.states-for-update',
  `SELECT ${stateColumns} FROM issues i
    WHERE i.organization_id = $1 AND i.id = ANY($2::uuid[]) ORDER BY i.identity FOR NO KEY UPDATE`,
);

/** A person's change is no sighting: an issue from before sightings were kept keeps the time of its last one. */
const update = statement(
  'issues.update-states',
  `UPDATE issues i
      SET status = n.status, status_set_by = n."statusSetBy", severity = n.severity, severity_set_by = n."severitySetBy",
          tool_severity = CASE WHEN n."severitySetBy" IS NOT NULL THEN n."toolSeverity" END, updated_at = now(),
          last_seen_at = coalesce(i.last_seen_at, i.updated_at), assignee_id = n."assigneeId", due_at = n."dueAt",
          accepted_until = n."acceptedUntil", accepted_reason = n."acceptedReason", accepted_by = n."acceptedBy",
          accepted_by_key = n."acceptedByKey", external_url = n."externalUrl",
          full_name = CASE WHEN full_name = name || ' (' || lower(i.severity) || ' risk)'
                           THEN name || ' (' || lower(n.severity) || ' risk)' ELSE full_name END
     FROM json_to_recordset($2::json) AS n(id uuid, status text, "statusSetBy" text, severity text, "severitySetBy" text,
            "toolSeverity" text, "assigneeId" uuid, "dueAt" timestamptz, "acceptedUntil" timestamptz,
            "acceptedReason" text, "acceptedBy" uuid, "acceptedByKey" text, "externalUrl" text)
    WHERE i.organization_id = $1 AND i.id = n.id`,
);

/** The lock keeps the member until the unit of work ends: whoever leaves meanwhile is unassigned afterwards. */
const keepMember = statement(
  'issues.keep-member',
  'SELECT FROM organization_members WHERE organization_id = $1 AND user_id = $2 FOR KEY SHARE',
);

@Injectable()
export class IssueTriageRepository {
  constructor(private readonly database: Database) {}

  /** The states of the organization's issues among these; blocks concurrent changes until the unit of work ends. */
  statesForUpdate(organizationId: string, ids: string[]): Promise<IssueState[]> {
    return this.database.rows<IssueState & object>(statesForUpdate, [organizationId, ids]);
  }

  async update(organizationId: string, states: IssueState[]): Promise<void> {
    if (states.length > 0) await this.database.execute(update, [organizationId, JSON.stringify(states)]);
  }

  /** Whether the user is a member of the organization, who then stays one until the unit of work ends. */
  async keepMember(organizationId: string, userId: string): Promise<boolean> {
    return (await this.database.row(keepMember, [organizationId, userId])) !== null;
  }
}
