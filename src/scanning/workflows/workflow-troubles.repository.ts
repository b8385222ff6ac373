import { Injectable } from '@nestjs/common';
import { Database, statement } from '../../database/database.js';

/** The workflow that has trouble, or has it no more. */
export interface TroubledWorkflow {
  id: string;
  name: string;
  organizationId: string;
  organizationName: string;
}

const names = `
  SELECT w.id, w.name, o.id AS "organizationId", o.name AS "organizationName"
    FROM changed JOIN workflows w ON w.id = changed.workflow_id JOIN organizations o ON o.id = w.organization_id`;

/** $1 is an action, or the workflow itself for its runs. The first of two nodes alone gets the row. */
const begin = statement(
  'workflow-troubles.begin',
  `WITH changed AS (
     INSERT INTO workflow_troubles (id, workflow_id, reason)
     SELECT $1, w.id, $2 FROM workflows w
      WHERE w.id = coalesce((SELECT workflow_id FROM workflow_actions WHERE id = $1), $1)
     ON CONFLICT (id) DO NOTHING RETURNING workflow_id
   ) ${names}`,
);

const end = statement(
  'workflow-troubles.end',
  `WITH changed AS (DELETE FROM workflow_troubles WHERE id = $1 RETURNING workflow_id) ${names}`,
);

const prune = `
  DELETE FROM workflow_troubles t
   WHERE t.workflow_id = $1 AND t.id <> $1 AND NOT EXISTS (SELECT FROM workflow_actions a WHERE a.id = t.id)`;

@Injectable()
export class WorkflowTroublesRepository {
  constructor(private readonly database: Database) {}

  /** Records trouble; null if it is recorded already. */
  begin(id: string, reason: string): Promise<TroubledWorkflow | null> {
    return this.database.row<TroubledWorkflow & Record<string, unknown>>(begin, [id, reason]);
  }

  /** Removes the trouble of actions that are gone. */
  async prune(workflowId: string): Promise<void> {
    await this.database.execute(prune, [workflowId]);
  }

  /** Removes trouble; null if there was none. */
  end(id: string): Promise<TroubledWorkflow | null> {
    return this.database.row<TroubledWorkflow & Record<string, unknown>>(end, [id]);
  }
}
