import { type AuditChanges, type AuditedFields, changesOf } from '../../platform/audit/audit-changes.js';
import type { SealedParameters } from './action-secrets.js';
import type { StoredWorkflow } from './workflow.entity.js';

/** A workflow in the form that its audit entries compare: with the receivers and the secrets of its actions. */
export type AuditableWorkflow = Omit<StoredWorkflow, 'actions'> & { actions: unknown };

/** Actions carry addresses, headers and secrets. */
const audited = {
  shown: ['name', 'enabled', 'triggerType', 'cron', 'timeZone', 'conditions', 'throttleMs'],
  concealed: ['actions'],
} satisfies AuditedFields<AuditableWorkflow>;

export function auditableOf(
  { actions, ...workflow }: StoredWorkflow,
  open: (id: string, sealed: string) => SealedParameters,
): AuditableWorkflow {
  const opened = actions.map(({ id, sealed, enabled, resources }) => ({ id, enabled, resources, ...open(id, sealed) }));
  return { ...workflow, actions: opened };
}

export function changesOfWorkflow(before: AuditableWorkflow | null, after: AuditableWorkflow | null): AuditChanges {
  return changesOf(before, after, audited);
}
