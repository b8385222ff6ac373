import type { WorkflowTriggerType } from '../vocabulary.js';
import type { PayloadRoot } from '../workflows/payload-roots.js';
import { subjectOf } from '../workflows/subjects.js';
import { withoutEmpty } from '../workflows/workflows.mapper.js';
import type { Workflow, WorkflowConditions } from '../workflows/workflows.dto.js';
import type { PendingRun } from './exports.repository.js';
import type { WorkflowDraft } from './workflow-draft.dto.js';

/** The parts of an action that decide what is gathered; without `resources` it sends all roots. */
export interface PlannedAction {
  id: string;
  resources: PayloadRoot[] | null;
}

/** The contents of an export, sent or only shown. */
export interface ExportPlan {
  organizationId: string;
  /** Decides which roots are filled. */
  trigger: WorkflowTriggerType;
  conditions: WorkflowConditions;
  /** The subjects of the event; null for everything that matches. */
  subjects: string[] | null;
  actions: PlannedAction[];
}

function isEvent(trigger: WorkflowTriggerType): trigger is keyof typeof subjectOf {
  return trigger in subjectOf;
}

/** The contents of a run. A run by hand or by schedule is about all possible subjects of the workflow's trigger. */
export function planOfRun(run: PendingRun): ExportPlan {
  const { organizationId, conditions, actions } = run;
  if (!isEvent(run.trigger))
    return { organizationId, trigger: run.workflowTrigger, conditions, subjects: null, actions };
  return { organizationId, trigger: run.trigger, conditions, subjects: run.subjects, actions };
}

/** The contents of a run of the workflow by hand; for all of its actions where none is enabled. */
export function planOfWorkflow(organizationId: string, { trigger, conditions, actions }: Workflow): ExportPlan {
  const planned = sending(actions).map(({ id, parameters: { resources } }) => ({ id, resources }));
  return { organizationId, trigger: trigger.type, conditions, subjects: null, actions: planned };
}

/** The contents of a run by hand of a workflow made from the draft; all roots as long as it has no action. */
export function planOfDraft(organizationId: string, { trigger, conditions, actions }: WorkflowDraft): ExportPlan {
  const drafted = actions?.length ? sending(actions) : [{ parameters: {} as { resources?: PayloadRoot[] | null } }];
  return {
    organizationId,
    trigger: trigger.type,
    conditions: withoutEmpty(conditions),
    subjects: null,
    actions: drafted.map(({ parameters: { resources = null } }, place) => ({ id: `draft ${place}`, resources })),
  };
}

/** The enabled actions, or all of them where none is. */
function sending<T extends { enabled?: boolean }>(actions: T[]): T[] {
  const enabled = actions.filter((action) => action.enabled !== false);
  return enabled.length > 0 ? enabled : actions;
}

/** The root that must not be empty for the export of an event to be sent. */
export function subjectRoot({ trigger, subjects }: ExportPlan): PayloadRoot | null {
  return subjects !== null && isEvent(trigger) ? subjectOf[trigger].table : null;
}

/** Whether an action sends a root. */
export function sends({ resources }: PlannedAction, root: PayloadRoot): boolean {
  return resources?.includes(root) ?? true;
}
