import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { OrganizationCaller } from '../../platform/auth/organization-caller.js';
import { uuidV7 } from '../../platform/crypto/uuid-v7.js';
import { found } from '../../platform/errors/errors.js';
import { type CursorPaging, type Page, pageOf, startOf } from '../../platform/http/cursor.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { JobRunner } from '../../platform/jobs/job-runner.js';
import type { TaskHandler } from '../../platform/jobs/task.js';
import { triggerTask } from '../triggers/trigger-task.js';
import { TriggersService } from '../triggers/triggers.service.js';
import { RunsRepository } from './runs.repository.js';
import { SchedulePlanner } from './schedule-planner.js';
import { scheduleTask } from './workflow-tasks.js';
import { WorkflowsRepository } from './workflows.repository.js';
import type { WorkflowRun } from './workflows.dto.js';

const lookAgainSeconds = 60;

/** Makes the runs of workflows: for triggers, by hand and by schedule. The export decides their contents. */
@Injectable()
export class RunsService implements OnModuleInit {
  constructor(
    private readonly repository: RunsRepository,
    private readonly workflows: WorkflowsRepository,
    private readonly triggers: TriggersService,
    private readonly schedule: SchedulePlanner,
    private readonly unitOfWork: UnitOfWork,
    private readonly jobs: JobRunner,
  ) {}

  onModuleInit(): void {
    const trigger: TaskHandler = (payload) => this.handle((payload as { triggerId: string }).triggerId);
    const schedule: TaskHandler = (payload) => {
      const { workflowId, time } = payload as { workflowId: string; time: string };
      return this.runScheduled(workflowId, new Date(time));
    };
    this.jobs.register(triggerTask, trigger, { deadlineSeconds: 60 });
    this.jobs.register(scheduleTask, schedule, { deadlineSeconds: 60 });
    this.jobs.registerRecurring({
      name: 'workflow-jobs',
      everySeconds: lookAgainSeconds,
      deadlineSeconds: lookAgainSeconds - 10,
      handler: async () => {
        await this.repository.queueMissing();
        await this.schedule.planMissing();
      },
    });
  }

  /** A page of a workflow's runs, newest first; `NotFound` if there is no such workflow. */
  async list(caller: OrganizationCaller, workflowId: string, paging: CursorPaging): Promise<Page<WorkflowRun>> {
    const { organizationId } = caller;
    found(await this.workflows.byId(organizationId, workflowId), 'Workflow');
    const rows = await this.repository.page(organizationId, workflowId, startOf(paging.cursor), paging.size + 1);
    return pageOf(rows, paging.size, (row) => row);
  }

  /** Turns a recorded trigger into a run of each listening workflow; idempotent. */
  async handle(triggerId: string): Promise<void> {
    await this.unitOfWork.run(async () => {
      const trigger = await this.triggers.lock(triggerId);
      if (!trigger) return;
      const workflowIds = await this.repository.lockListening(trigger.organizationId, trigger.type);
      const runIds = workflowIds.map(() => uuidV7());
      if (workflowIds.length > 0) await this.repository.makeRuns(triggerId, trigger.type, workflowIds, runIds);
      await this.triggers.remove(triggerId);
    });
  }

  /** Makes the run of a scheduled time and plans the next one; idempotent. */
  async runScheduled(workflowId: string, time: Date): Promise<void> {
    await this.unitOfWork.run(async () => {
      const due = await this.schedule.take(workflowId, time);
      if (!due) return;
      const { organizationId } = due;
      await this.repository.insert({ id: uuidV7(), organizationId, workflowId, trigger: 'SCHEDULE' });
    });
  }
}
