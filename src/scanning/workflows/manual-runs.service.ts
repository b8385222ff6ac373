import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../platform/audit/audit-log.js';
import type { OrganizationCaller } from '../../platform/auth/organization-caller.js';
import { uuidV7 } from '../../platform/crypto/uuid-v7.js';
import { Conflict, found } from '../../platform/errors/errors.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { RunsRepository } from './runs.repository.js';
import { WorkflowsRepository } from './workflows.repository.js';

/** Runs on request. */
@Injectable()
export class ManualRunsService {
  constructor(
    private readonly repository: RunsRepository,
    private readonly workflows: WorkflowsRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: AuditLog,
  ) {}

  /** Runs a workflow now, whatever its trigger; `NotFound`, and `Conflict` where it is disabled. */
  async run({ organizationId }: OrganizationCaller, workflowId: string): Promise<{ runId: string }> {
    const workflow = found(await this.workflows.byId(organizationId, workflowId), 'Workflow');
    // Unspecified: whether a disabled workflow can be run by hand; it cannot, since it was disabled to send nothing.
    if (!workflow.enabled)
      throw new Conflict('The workflow is disabled: enable it before you run it', 'workflow_disabled');
    const runId = uuidV7();
    await this.unitOfWork.run(async () => {
      await this.repository.insertAsked({ id: runId, organizationId, workflowId, trigger: 'MANUAL' });
      await this.audit.record({ action: 'workflow.run_requested', organizationId, subject: workflow });
    });
    return { runId };
  }
}
