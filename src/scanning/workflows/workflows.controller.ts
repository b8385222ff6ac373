import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { OrganizationAccess } from '../../platform/auth/access.js';
import { Member, type OrganizationCaller } from '../../platform/auth/organization-caller.js';
import { Answers, Examples, Refuses } from '../../platform/http/answers.js';
import { demo } from '../../platform/openapi/demo-values.js';
import { CursorPaging } from '../../platform/http/cursor.js';
import { IfMatch, TakesIfMatch, Versioned } from '../../platform/http/if-match.js';
import { ManualRunsService } from './manual-runs.service.js';
import { RunsService } from './runs.service.js';
import { SecretRotationService } from './secret-rotation.service.js';
import { ActionPath, RotatedSecret, SecretRotation } from './secret-rotation.dto.js';
import { WorkflowUpdate } from './workflow-updates.dto.js';
import { WorkflowsService } from './workflows.service.js';
import {
  Workflow,
  WorkflowCreate,
  WorkflowPage,
  WorkflowPath,
  WorkflowRunPage,
  WorkflowRunStarted,
} from './workflows.dto.js';

const seriousIssues = {
  name: 'Serious new issues to our chat',
  trigger: { type: 'NEW_ISSUE' },
  conditions: { severities: ['CRITICAL', 'HIGH'] },
  actions: [{ type: 'EXPORT', integrationKind: 'WEBHOOK', parameters: { url: 'https://hooks.example.com/scans' } }],
};

@ApiTags('workflows')
@Controller('api/v1/workflows')
export class WorkflowsController {
  constructor(
    private readonly workflows: WorkflowsService,
    private readonly runs: RunsService,
    private readonly manualRuns: ManualRunsService,
    private readonly rotation: SecretRotationService,
  ) {}

  @Get()
  @OrganizationAccess('viewer')
  @Answers(200, WorkflowPage, 'List workflows, newest first', 'Header values and secrets of their actions are masked.')
  list(@Member() caller: OrganizationCaller, @Query() paging: CursorPaging): Promise<WorkflowPage> {
    return this.workflows.list(caller, paging);
  }

  @Post()
  @OrganizationAccess('admin')
  @Answers(
    201,
    Workflow,
    'Create a workflow',
    'WHEN a trigger fires, IF conditions match, THEN a webhook gets what matched. An address in a private or ' +
      'reserved network is refused.',
  )
  @Refuses({ quota_exceeded: ['quota_exceeded'] })
  @Examples({ body: seriousIssues })
  create(@Member() caller: OrganizationCaller, @Body() workflow: WorkflowCreate): Promise<Workflow> {
    return this.workflows.create(caller, workflow);
  }

  @Get(':id')
  @OrganizationAccess('viewer')
  @Versioned()
  @Answers(200, Workflow, 'Get a workflow', 'Header values and secrets of its actions are masked.')
  get(@Member() caller: OrganizationCaller, @Param() { id }: WorkflowPath): Promise<Workflow> {
    return this.workflows.get(caller, id);
  }

  @Patch(':id')
  @OrganizationAccess('admin')
  @Answers(
    200,
    Workflow,
    'Change a workflow',
    'Omitted fields stay as they are, and a mask that is sent back keeps the value behind it. Send `enabled: true` ' +
      'to enable an action that the service has disabled.',
  )
  @Examples({ body: { throttleMs: 60_000 } })
  @TakesIfMatch()
  @Refuses({ precondition_failed: ['changed_meanwhile'] })
  update(
    @Member() caller: OrganizationCaller,
    @Param() { id }: WorkflowPath,
    @Body() changes: WorkflowUpdate,
    @IfMatch() ifMatch: string | null,
  ): Promise<Workflow> {
    return this.workflows.update(caller, id, changes, ifMatch);
  }

  @Delete(':id')
  @OrganizationAccess('admin')
  @Answers(204, undefined, 'Delete a workflow', 'Cancels its pending deliveries.')
  remove(@Member() caller: OrganizationCaller, @Param() { id }: WorkflowPath): Promise<void> {
    return this.workflows.remove(caller, id);
  }

  @Post(':id/actions/:actionId/rotate-secret')
  @Examples({ id: demo('actionWorkflow'), actionId: demo('action') })
  @OrganizationAccess('admin')
  @Answers(
    200,
    RotatedSecret,
    'Rotate the secret that signs what an action sends',
    'Until the overlap ends, both secrets sign, each with its own signature in the webhook-signature header ' +
      '(Standard Webhooks), so that receivers can switch in the meantime. Another rotation does not end an earlier ' +
      'secret before its time. A PATCH of the action with another secret replaces all of them at once.',
  )
  @Refuses({ conflict: ['conflict'] })
  rotateSecret(
    @Member() caller: OrganizationCaller,
    @Param() path: ActionPath,
    @Body() given: SecretRotation,
  ): Promise<RotatedSecret> {
    return this.rotation.rotate(caller, path, given);
  }

  @Post(':id/run')
  @OrganizationAccess('member')
  @Answers(
    202,
    WorkflowRunStarted,
    'Run a workflow now',
    'On everything that its conditions match, whatever its trigger. The payload is collected and frozen a moment ' +
      'later: GET /api/v1/workflows/{id}/runs shows the outcome.',
  )
  @Refuses({ conflict: ['workflow_disabled'], too_many_requests: ['rate_exceeded'] })
  run(@Member() caller: OrganizationCaller, @Param() { id }: WorkflowPath): Promise<WorkflowRunStarted> {
    return this.manualRuns.run(caller, id);
  }

  @Get(':id/runs')
  @OrganizationAccess('viewer')
  @Answers(
    200,
    WorkflowRunPage,
    'List the runs of a workflow, newest first',
    'What started each run, whether it had anything to send, and if not, why.',
  )
  listRuns(
    @Member() caller: OrganizationCaller,
    @Param() { id }: WorkflowPath,
    @Query() paging: CursorPaging,
  ): Promise<WorkflowRunPage> {
    return this.runs.list(caller, id, paging);
  }
}
