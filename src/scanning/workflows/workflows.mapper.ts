import type { SealedParameters } from './action-secrets.js';
import { toMasked } from './action-secrets.js';
import type { StoredAction, StoredWorkflow } from './workflows.repository.js';
import type { Workflow, WorkflowAction, WorkflowConditions } from './workflows.shapes.js';

/** An action as it is read; `open` unseals its parameters. */
function toAction(
  { id, enabled, disabledReason, resources, sealed }: StoredAction,
  open: (id: string, sealed: string) => SealedParameters,
): WorkflowAction {
  const parameters = toMasked(open(id, sealed), resources);
  return { id, type: 'EXPORT', integrationKind: 'WEBHOOK', enabled, disabledReason, parameters };
}

export function toWorkflow(stored: StoredWorkflow, open: (id: string, sealed: string) => SealedParameters): Workflow {
  const { id, name, enabled, triggerType, cron, timeZone, conditions, throttleMs, createdAt, updatedAt } = stored;
  const trigger = { type: triggerType, cron, timeZone };
  const actions = stored.actions.map((action) => toAction(action, open));
  return { id, name, enabled, trigger, conditions, throttleMs, actions, createdAt, updatedAt };
}

/** The conditions that say something: an empty list or text asks for nothing. */
export function withoutEmpty(conditions: WorkflowConditions = {}): WorkflowConditions {
  const said = Object.entries(conditions).filter(([, value]: [string, string | string[] | undefined]) => value?.length);
  return Object.fromEntries(
    said.map(([name, value]) => [
      name,
      name.endsWith('Ids') ? (value as string[]).map((id) => id.toLowerCase()) : value,
    ]),
  );
}
