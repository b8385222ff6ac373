import { Injectable } from '@nestjs/common';
import type { AuditAction } from '../../platform/audit/audit-actions.js';
import { AuditLog } from '../../platform/audit/audit-log.js';
import { includesRole, type OrganizationCaller } from '../../platform/auth/organization-caller.js';
import { uuidV7 } from '../../platform/crypto/uuid-v7.js';
import { found } from '../../platform/errors/errors.js';
import { type CursorPaging, type Page, pageOf, startOf } from '../../platform/http/cursor.js';
import { assertUnchanged } from '../../platform/http/entity-tag.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { ViewsService } from '../views/views.service.js';
import { CancellationsRepository } from './cancellations.repository.js';
import { assertConditions, assertDigests } from './condition-rules.js';
import { SchedulePlanner } from './schedule-planner.js';
import { assertTrigger } from './trigger-rules.js';
import { WorkflowActions } from './workflow-actions.js';
import { toWorkflow, withoutEmpty } from './workflows.mapper.js';
import type { StoredWorkflow } from './workflow.entity.js';
import { WorkflowTroublesService } from './workflow-troubles.service.js';
import { WorkflowsRepository } from './workflows.repository.js';
import type { WorkflowTriggerUpdate, WorkflowUpdate } from './workflow-updates.dto.js';
import type { ListedWorkflow, Workflow, WorkflowCreate, WorkflowTrigger } from './workflows.dto.js';
import { type AuditChanges, type AuditedFields, changesOf } from '../../platform/audit/audit-changes.js';
import type { ActionParameters } from './action-secrets.js';

/** A workflow in the form that its audit entries compare: with the receivers and the secrets of its actions. */
type AuditableWorkflow = Omit<StoredWorkflow, 'actions'> & { actions: unknown };

/** Actions carry addresses, headers and secrets. */
const audited = {
  shown: ['name', 'enabled', 'triggerType', 'cron', 'timeZone', 'conditions', 'throttleMs'],
  concealed: ['actions'],
} satisfies AuditedFields<AuditableWorkflow>;

function auditableOf(
  { actions, ...workflow }: StoredWorkflow,
  open: (id: string, sealed: string) => ActionParameters,
): AuditableWorkflow {
  const opened = actions.map(({ id, type, kind, digest, inParts, sealed, enabled, resources }) => {
    const shown = { id, type, kind, digest, inParts, enabled, resources };
    return Object.assign(shown, open(id, sealed));
  });
  return { ...workflow, actions: opened };
}

function changesOfWorkflow(before: AuditableWorkflow | null, after: AuditableWorkflow | null): AuditChanges {
  return changesOf(before, after, audited);
}

const givenUp = 'A delivery was given up after its last attempt';
const failingFor = '5 days';
const alwaysFailed = 'Every attempt of the last five days failed';
/** The reasons why a run sends nothing. */
export const workflowDisabled = 'The workflow was disabled before the run';
export const workflowDeleted = 'The workflow was deleted before the run';

/** The workflows of an organization: their events, conditions and actions. */
@Injectable()
export class WorkflowsService {
  constructor(
    private readonly repository: WorkflowsRepository,
    private readonly actions: WorkflowActions,
    private readonly schedule: SchedulePlanner,
    private readonly cancellations: CancellationsRepository,
    private readonly views: ViewsService,
    private readonly troubles: WorkflowTroublesService,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: AuditLog,
  ) {}

  /** A page of workflows with their health, newest first. */
  async list(caller: OrganizationCaller, { size, cursor }: CursorPaging): Promise<Page<ListedWorkflow>> {
    const rows = await this.repository.page(caller.organizationId, startOf(cursor), size + 1);
    return pageOf(rows, size, (row) => {
      const { lastRun, failingDeliveries } = row;
      return Object.assign(this.toRead(row, caller), { lastRun, failingDeliveries });
    });
  }

  /** One workflow; `NotFound` where the organization has none of this id. */
  async get(caller: OrganizationCaller, id: string): Promise<Workflow> {
    return this.toRead(await this.stored(caller.organizationId, id), caller);
  }

  /** One workflow with the parameters of its actions sealed; `NotFound` as `get`. */
  async stored(organizationId: string, id: string): Promise<StoredWorkflow> {
    return found(await this.repository.byId(organizationId, id), 'Workflow');
  }

  /** Makes a workflow; `Invalid` for an impossible trigger, conditions, address or headers. */
  async create(caller: OrganizationCaller, given: WorkflowCreate): Promise<Workflow> {
    const { name, enabled, trigger, throttleMs } = given;
    const conditions = withoutEmpty(given.conditions);
    assertTrigger(trigger);
    assertConditions(trigger.type, conditions, { conditions: true });
    assertDigests(trigger.type, given.actions);
    const { organizationId } = caller;
    await this.views.assertShared(organizationId, conditions.viewId);
    await this.actions.assertTargets(organizationId, given.actions);
    const id = uuidV7();
    return this.unitOfWork.run(async () => {
      const columns = { id, name, enabled, conditions, throttleMs, ...triggerColumns(trigger) };
      await this.repository.insert(organizationId, columns);
      await this.repository.saveActions(id, this.actions.read(given.actions, []));
      await this.schedule.plan({ organizationId, ...columns });
      const made = await this.stored(organizationId, id);
      await this.record('workflow.created', organizationId, null, this.auditable(made));
      return this.toRead(made, caller);
    });
  }

  /**
   * Changes the given fields; `NotFound`, `ChangedMeanwhile` where it differs from `ifMatch`, and `Invalid` as at
   * creation. Cancels pending sends where the workflow or its action is now disabled, or the action is omitted.
   */
  async update(
    caller: OrganizationCaller,
    id: string,
    changes: WorkflowUpdate,
    ifMatch: string | null,
  ): Promise<Workflow> {
    const { organizationId } = caller;
    if (changes.actions) await this.actions.assertTargets(organizationId, changes.actions);
    return this.unitOfWork.run(async () => {
      await this.repository.lock(organizationId, id);
      const stored = await this.stored(organizationId, id);
      const read = this.toRead(stored, caller);
      assertUnchanged(ifMatch, read);
      if (Object.keys(changes).length === 0) return read;
      const columns = changed(stored, changes);
      if (changes.conditions) await this.views.assertShared(organizationId, columns.conditions.viewId);
      await this.repository.save(organizationId, columns);
      const actions = changes.actions ? this.actions.read(changes.actions, stored.actions) : null;
      assertDigests(columns.triggerType, actions ?? stored.actions);
      if (actions) {
        await this.repository.saveActions(id, actions);
        await this.troubles.forgetRemoved(id);
      }
      if (!columns.enabled) await this.cancellations.cancelRuns(id, workflowDisabled);
      if (!columns.enabled || changes.actions) await this.cancellations.cancelDeliveries(id);
      await this.schedule.plan({ organizationId, ...columns });
      const updated = await this.stored(organizationId, id);
      await this.recordUpdate(organizationId, stored, updated);
      return this.toRead(updated, caller);
    });
  }

  /** Deletes a workflow with its actions, and cancels its pending sends; `NotFound` if there is none. */
  async remove({ organizationId }: OrganizationCaller, id: string): Promise<void> {
    await this.unitOfWork.run(async () => {
      await this.repository.lock(organizationId, id);
      const before = await this.stored(organizationId, id);
      await this.repository.disable(organizationId, id);
      await this.cancellations.cancelRuns(id, workflowDeleted);
      await this.cancellations.cancelDeliveries(id);
      await this.repository.remove(organizationId, id);
      await this.schedule.cancel(id);
      await this.record('workflow.deleted', organizationId, this.auditable(before), null);
    });
  }

  /** Records that an action delivered. */
  async actionSucceeded(actionId: string): Promise<void> {
    await this.repository.actionSucceeded(actionId);
    await this.troubles.end(actionId);
  }

  /**
   * Records that an attempt of an action failed; disables the action at once with a reason, or after five days of
   * failures. Tells the admins of that, and of a delivery that is given up.
   */
  actionFailed(actionId: string, reason: string | null, isLast: boolean): Promise<void> {
    return this.unitOfWork.run(async () => {
      const failed = await this.repository.actionFailed(actionId, reason, alwaysFailed, failingFor);
      if (failed === null) return;
      if (isLast || !failed.enabled) await this.troubles.begin(actionId, failed.disabledReason ?? givenUp);
      if (failed.enabled) return;
      await this.cancellations.cancelDeliveries(failed.workflowId);
      if (!failed.wasEnabled) return;
      const { organizationId, workflowId: id, workflowName: name } = failed;
      const changes = { disabledReason: { from: null, to: failed.disabledReason } };
      await this.audit.record({ action: 'workflow.action_disabled', organizationId, subject: { id, name }, changes });
    });
  }

  private async record(
    action: AuditAction,
    organizationId: string,
    before: AuditableWorkflow | null,
    after: AuditableWorkflow | null,
  ): Promise<void> {
    const { id, name } = (after ?? before) as AuditableWorkflow;
    const changes = changesOfWorkflow(before, after);
    await this.audit.record({ action, organizationId, subject: { id, name }, changes });
  }

  /** Turning a workflow on or off has an audit entry of its own. */
  private async recordUpdate(organizationId: string, before: StoredWorkflow, after: StoredWorkflow): Promise<void> {
    const { enabled, ...changes } = changesOfWorkflow(this.auditable(before), this.auditable(after));
    const entry = { organizationId, subject: after };
    await this.audit.record(
      { action: 'workflow.updated', ...entry, changes },
      {
        action: after.enabled ? 'workflow.enabled' : 'workflow.disabled',
        ...entry,
        changes: enabled ? { enabled } : {},
      },
    );
  }

  private auditable(stored: StoredWorkflow): AuditableWorkflow {
    return auditableOf(stored, (id, sealed) => this.actions.open(id, sealed));
  }

  private toRead(stored: StoredWorkflow, { role }: OrganizationCaller): Workflow {
    const reader = { isAdmin: includesRole(role, 'admin') };
    return toWorkflow(stored, (id, sealed) => this.actions.open(id, sealed), reader);
  }
}

function triggerColumns({ type, cron, timeZone }: WorkflowTrigger) {
  return { triggerType: type, cron: cron ?? null, timeZone };
}

/** The trigger after an update; a cron expression stays with its schedule. */
function changedTrigger(stored: StoredWorkflow, given: WorkflowTriggerUpdate): WorkflowTrigger {
  const { type = stored.triggerType, timeZone = stored.timeZone, cron } = given;
  const kept = type === 'SCHEDULE' ? stored.cron : null;
  return { type, timeZone, cron: cron === undefined ? kept : cron };
}

function changed(stored: StoredWorkflow, { name, enabled, trigger, conditions, throttleMs }: WorkflowUpdate) {
  const columns = {
    id: stored.id,
    name: name ?? stored.name,
    enabled: enabled ?? stored.enabled,
    conditions: conditions ? withoutEmpty(conditions) : stored.conditions,
    throttleMs: throttleMs ?? stored.throttleMs,
    ...triggerColumns(changedTrigger(stored, trigger ?? {})),
  };
  if (trigger) assertTrigger({ type: columns.triggerType, cron: columns.cron, timeZone: columns.timeZone });
  if (trigger || conditions) {
    assertConditions(columns.triggerType, columns.conditions, { conditions: conditions !== undefined });
  }
  return columns;
}
