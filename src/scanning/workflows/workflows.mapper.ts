import { previousExpiresAt } from '../../platform/delivery/signing-secrets.js';
import { type ActionParameters, type ParametersReader, toMasked } from './action-secrets.js';
import type { StoredAction } from './workflow-action.entity.js';
import type { StoredWorkflow } from './workflow.entity.js';
import type { Workflow, WorkflowAction, WorkflowConditions } from './workflows.dto.js';

type Open = (id: string, sealed: string) => ActionParameters;

/** An action for reads; `open` unseals its parameters. */
function toAction(
  { id, type, kind, digest, inParts, enabled, disabledReason, resources, sealed }: StoredAction,
  open: Open,
  reader: ParametersReader,
): WorkflowAction {
  const opened = open(id, sealed);
  const parameters = toMasked(kind, opened, resources, reader);
  if (inParts) parameters.parts = true;
  const previousSecretExpiresAt = previousExpiresAt(opened);
  const ofNotice = type === 'NOTIFY' ? { digest } : {};
  return { id, type, integrationKind: kind, ...ofNotice, enabled, disabledReason, previousSecretExpiresAt, parameters };
}

export function toWorkflow(stored: StoredWorkflow, open: Open, reader: ParametersReader): Workflow {
  const { id, name, enabled, triggerType, cron, timeZone, conditions, throttleMs, createdAt, updatedAt } = stored;
  const trigger = { type: triggerType, cron, timeZone };
  const actions = stored.actions.map((action) => toAction(action, open, reader));
  const nextRunAt = stored.scheduledFor;
  return { id, name, enabled, trigger, conditions, throttleMs, nextRunAt, actions, createdAt, updatedAt };
}

/** The conditions without empty lists and texts, which ask for nothing. */
export function withoutEmpty(conditions: WorkflowConditions = {}): WorkflowConditions {
  const full = Object.entries(conditions).filter(([, value]: [string, string | string[] | boolean | undefined]) =>
    typeof value === 'boolean' ? value : value?.length,
  );
  return Object.fromEntries(
    full.map(([name, value]) => [
      name,
      name.endsWith('Ids') ? (value as string[]).map((id) => id.toLowerCase()) : value,
    ]),
  );
}
