/** The error in the log of an attempt whose end nobody saw. */
export const interrupted = 'The service ended in the middle of this attempt';

/** Whether the action of this id may send: it exists, and neither it nor its workflow is disabled. */
export function maySend(actionId: string): string {
  return `EXISTS (SELECT FROM workflow_actions sender JOIN workflows home ON home.id = sender.workflow_id
                   WHERE sender.id = ${actionId} AND sender.enabled AND home.enabled)`;
}

/** Ends the open attempts of these deliveries, whose worker died, in the log. */
export function endAttempts(deliveries: string): string {
  return `UPDATE webhook_attempts a SET error = '${interrupted}', duration_ms = 0
            FROM ${deliveries} WHERE a.delivery_id = ${deliveries}.id AND a.duration_ms IS NULL`;
}
