import type { WorkflowTriggerType } from '../vocabulary.js';
import type { NoticeRoot } from '../notifications/notice.js';
import type { NotificationKind } from '../notifications/notification-kinds.js';
import type { PayloadRoot } from '../workflows/payload-roots.js';
import { subjectOf } from '../workflows/subjects.js';
import type { StoredAction } from '../workflows/workflow-action.entity.js';
import { withoutEmpty } from '../workflows/workflows.mapper.js';
import type { WorkflowActionUpdate } from '../workflows/workflow-updates.dto.js';
import type { Workflow, WorkflowAction, WorkflowConditions } from '../workflows/workflows.dto.js';
import type { PendingRun } from './exports.repository.js';
import type { WorkflowDraft } from './workflow-draft.dto.js';

/** The parts of an action that decide what is gathered; without `resources` it sends all roots. */
export interface PlannedAction {
  id: string;
  resources: PayloadRoot[] | null;
  /** Whether a payload that is too large for one POST goes out in parts. */
  inParts: boolean;
}

/** The contents of an export, sent or only shown. */
export interface ExportPlan {
  organizationId: string;
  /** Decides which roots are filled. */
  trigger: WorkflowTriggerType;
  conditions: WorkflowConditions;
  /** The subjects of the event; null for everything that matches. */
  subjects: string[] | null;
  /** Only what has changed since then; null for everything. */
  changedSince: Date | null;
  actions: PlannedAction[];
}

function isEvent(trigger: WorkflowTriggerType): trigger is keyof typeof subjectOf {
  return trigger in subjectOf;
}

/** The contents of a run. A run by hand or by schedule is about all possible subjects of the workflow's trigger. */
export function planOfRun(run: PendingRun): ExportPlan {
  const { organizationId, conditions, changedSince } = run;
  const actions = run.actions.filter(isExport);
  if (!isEvent(run.trigger))
    return { organizationId, trigger: run.workflowTrigger, conditions, subjects: null, changedSince, actions };
  return { organizationId, trigger: run.trigger, conditions, subjects: run.subjects, changedSince: null, actions };
}

/** The contents of a run of the workflow by hand; for all of its actions where none is enabled. */
export function planOfWorkflow(organizationId: string, { trigger, conditions, actions }: Workflow): ExportPlan {
  const planned = sending(actions)
    .filter(({ type }) => type === 'EXPORT')
    .map(({ id, parameters: { resources } }) => ({ id, resources, inParts: false }));
  return { organizationId, trigger: trigger.type, conditions, subjects: null, changedSince: null, actions: planned };
}

/** The contents of a run by hand of a workflow made from the draft; all roots as long as it has no action. */
export function planOfDraft(organizationId: string, { trigger, conditions, actions }: WorkflowDraft): ExportPlan {
  const drafted = actions?.length
    ? sending(actions).filter(({ type }) => type === 'EXPORT')
    : [{ parameters: {} as { resources?: PayloadRoot[] | null } }];
  return {
    organizationId,
    trigger: trigger.type,
    conditions: withoutEmpty(conditions),
    subjects: null,
    changedSince: null,
    actions: drafted.map(({ parameters: { resources = null } }, place) => ({
      id: `draft ${place}`,
      resources,
      inParts: false,
    })),
  };
}

/** The parts of a notifying action that decide what it says. */
export interface PlannedNotice {
  id: string | null;
  kind: NotificationKind;
  template: object | null;
  perIssue: boolean;
}

/** The notifications of a workflow, or of its draft: those of the enabled actions, or of all where none is. */
export function noticesOf(actions: readonly (WorkflowAction | WorkflowActionUpdate)[]): PlannedNotice[] {
  return sending([...actions]).flatMap(({ id = null, integrationKind: kind, parameters }) => {
    if (kind === 'WEBHOOK') return [];
    const { template = null, perIssue = false } = parameters;
    return [{ id, kind, template, perIssue }];
  });
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

/** What the plan is about: the subjects of its trigger, or issues. */
export function rootOf({ trigger }: ExportPlan): NoticeRoot {
  return isEvent(trigger) ? subjectOf[trigger].table : 'issues';
}

/** Whether an action sends a payload, rather than a notification. */
export function isExport({ kind }: Pick<StoredAction, 'kind'>): boolean {
  return kind === 'WEBHOOK';
}

/** Whether an action sends a root. */
export function sends({ resources }: Pick<PlannedAction, 'resources'>, root: PayloadRoot): boolean {
  return resources?.includes(root) ?? true;
}
