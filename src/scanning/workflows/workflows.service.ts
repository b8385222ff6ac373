import { Injectable } from '@nestjs/common';
import type { OrganizationCaller } from '../../common/auth/organization-caller.js';
import { uuidV7 } from '../../common/crypto/uuid-v7.js';
import { found, NotFound } from '../../common/errors/kinds.js';
import { type CursorPaging, type Page, pageOf, startOf } from '../../common/http/cursor.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { ActionSecrets } from './action-secrets.js';
import { SchedulePlanner } from './schedule-planner.js';
import { demandTrigger } from './trigger-rules.js';
import { WorkflowActions } from './workflow-actions.js';
import { toWorkflow, withoutEmpty } from './workflows.mapper.js';
import { type StoredWorkflow, WorkflowsRepository } from './workflows.repository.js';
import type { Workflow, WorkflowCreate, WorkflowUpdate } from './workflows.shapes.js';

/** The workflows of an organization: when what happens, and what is done then. */
@Injectable()
export class WorkflowsService {
  constructor(
    private readonly repository: WorkflowsRepository,
    private readonly actions: WorkflowActions,
    private readonly secrets: ActionSecrets,
    private readonly schedule: SchedulePlanner,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** A page of workflows, newest first. */
  async list({ organizationId }: OrganizationCaller, { size, cursor }: CursorPaging): Promise<Page<Workflow>> {
    const rows = await this.repository.page(organizationId, startOf(cursor), size + 1);
    return pageOf(rows, size, (row) => this.toRead(row));
  }

  /** One workflow; `NotFound` where the organization has none of this id. */
  async get({ organizationId }: OrganizationCaller, id: string): Promise<Workflow> {
    return this.toRead(found(await this.repository.byId(organizationId, id), 'Workflow'));
  }

  /** Makes a workflow; `Invalid` for a trigger, an address or headers that cannot be. */
  async create({ organizationId }: OrganizationCaller, given: WorkflowCreate): Promise<Workflow> {
    demandTrigger(given.trigger);
    await this.actions.demandTargets(given.actions);
    const { name, enabled, trigger, throttleMs } = given;
    const id = uuidV7();
    return this.unitOfWork.run(async () => {
      const conditions = withoutEmpty(given.conditions);
      const columns = { id, name, enabled, conditions, throttleMs, ...triggerColumns(trigger) };
      await this.repository.save(organizationId, columns);
      await this.repository.saveActions(id, this.actions.read(given.actions, []));
      await this.schedule.plan({ organizationId, ...columns });
      return this.toRead(found(await this.repository.byId(organizationId, id), 'Workflow'));
    });
  }

  /** Changes what is given; `NotFound`, and `Invalid` as at creation. What is pending of an action left out is cancelled. */
  async update({ organizationId }: OrganizationCaller, id: string, changes: WorkflowUpdate): Promise<Workflow> {
    if (changes.trigger) demandTrigger(changes.trigger);
    if (changes.actions) await this.actions.demandTargets(changes.actions);
    return this.unitOfWork.run(async () => {
      await this.repository.lock(organizationId, id);
      const stored = found(await this.repository.byId(organizationId, id), 'Workflow');
      const columns = changed(stored, changes);
      await this.repository.save(organizationId, columns);
      if (changes.actions) await this.repository.saveActions(id, this.actions.read(changes.actions, stored.actions));
      await this.schedule.plan({ organizationId, ...columns });
      return this.toRead(found(await this.repository.byId(organizationId, id), 'Workflow'));
    });
  }

  /** Deletes a workflow with its actions, and cancels what is pending; `NotFound` where there is none. */
  async remove({ organizationId }: OrganizationCaller, id: string): Promise<void> {
    await this.unitOfWork.run(async () => {
      if (!(await this.repository.remove(organizationId, id))) throw new NotFound('Workflow not found');
      await this.schedule.cancel(id);
    });
  }

  private toRead(stored: StoredWorkflow): Workflow {
    return toWorkflow(stored, (id, sealed) => this.secrets.open(id, sealed));
  }
}

function triggerColumns({ type, cron, timeZone }: WorkflowCreate['trigger']) {
  return { triggerType: type, cron: cron ?? null, timeZone };
}

function changed(stored: StoredWorkflow, { name, enabled, trigger, conditions, throttleMs }: WorkflowUpdate) {
  const { id, triggerType, cron, timeZone } = stored;
  return {
    id,
    name: name ?? stored.name,
    enabled: enabled ?? stored.enabled,
    conditions: conditions ? withoutEmpty(conditions) : stored.conditions,
    throttleMs: throttleMs ?? stored.throttleMs,
    ...(trigger ? triggerColumns(trigger) : { triggerType, cron, timeZone }),
  };
}
