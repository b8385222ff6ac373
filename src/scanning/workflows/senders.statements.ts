/** Whether the action of this id may send: it exists, and neither it nor its workflow is disabled. */
export function maySend(actionId: string): string {
  return `EXISTS (SELECT FROM workflow_actions sender JOIN workflows home ON home.id = sender.workflow_id
                   WHERE sender.id = ${actionId} AND sender.enabled AND home.enabled)`;
}
