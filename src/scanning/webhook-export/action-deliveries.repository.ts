import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import type { PayloadRoot } from '../workflows/payload-roots.js';
import { maySend } from '../workflows/senders.statements.js';
import type { RootBytes } from '../workflows/workflow-run.entity.js';

/** A delivery of a run whose next attempt is due. */
export interface DueAction {
  organizationId: string;
  runId: string;
  resources: PayloadRoot[] | null;
  rootBytes: RootBytes | null;
  failures: number;
  /** Null if the action may not send: somebody disabled or deleted it or its workflow. */
  action: { id: string; sealed: string } | null;
}

const due = `
  SELECT d.organization_id AS "organizationId", d.run_id AS "runId", d.resources, r.root_bytes AS "rootBytes",
         d.series_failures AS failures,
         CASE WHEN ${maySend('d.action_id')} THEN json_build_object('id', a.id, 'sealed', a.parameters_sealed) END AS action
    FROM webhook_deliveries d
    JOIN workflow_runs r ON r.id = d.run_id
    LEFT JOIN workflow_actions a ON a.id = d.action_id
   WHERE d.id = $1 AND d.turn = $2 AND d.status IN ('PENDING', 'RETRYING')`;

/** The workflow before its action, in the order of updates. */
const lockSender = `
  WITH home AS MATERIALIZED (
    SELECT w.id, w.enabled FROM workflows w
     WHERE w.id = (SELECT workflow_id FROM webhook_deliveries WHERE id = $1) FOR SHARE
  )
  SELECT home.enabled AND a.enabled AS sends
    FROM home JOIN workflow_actions a ON a.workflow_id = home.id
   WHERE a.id = (SELECT action_id FROM webhook_deliveries WHERE id = $1)
     FOR NO KEY UPDATE OF a`;

@Injectable()
export class ActionDeliveriesRepository {
  constructor(private readonly database: Database) {}

  due(deliveryId: string, sequence: number): Promise<DueAction | null> {
    return this.database.row<DueAction & Record<string, unknown>>(due, [deliveryId, sequence]);
  }

  /** Whether the action of a delivery may send; it stays so to the end of the unit. */
  async lockSender(deliveryId: string): Promise<boolean> {
    return (await this.database.row<{ sends: boolean }>(lockSender, [deliveryId]))?.sends ?? false;
  }
}
