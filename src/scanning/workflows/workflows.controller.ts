import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { OrganizationAccess } from '../../common/auth/access.js';
import { Member, type OrganizationCaller } from '../../common/auth/organization-caller.js';
import { Answers, Refuses } from '../../common/http/answers.js';
import { CursorPaging } from '../../common/http/cursor.js';
import { RunsService } from './runs.service.js';
import { WorkflowsService } from './workflows.service.js';
import {
  Workflow,
  WorkflowCreate,
  WorkflowPage,
  WorkflowPath,
  WorkflowRunPage,
  WorkflowRunStarted,
  WorkflowUpdate,
} from './workflows.shapes.js';

@ApiTags('workflows')
@Controller('api/v1/workflows')
export class WorkflowsController {
  constructor(
    private readonly workflows: WorkflowsService,
    private readonly runs: RunsService,
  ) {}

  @Get()
  @OrganizationAccess('viewer')
  @Answers(200, WorkflowPage, 'List workflows, newest first')
  list(@Member() caller: OrganizationCaller, @Query() paging: CursorPaging): Promise<WorkflowPage> {
    return this.workflows.list(caller, paging);
  }

  @Post()
  @OrganizationAccess('admin')
  @Answers(201, Workflow, 'Make a workflow')
  create(@Member() caller: OrganizationCaller, @Body() workflow: WorkflowCreate): Promise<Workflow> {
    return this.workflows.create(caller, workflow);
  }

  @Get(':id')
  @OrganizationAccess('viewer')
  @Answers(200, Workflow, 'Get a workflow; header values and secrets are masked')
  get(@Member() caller: OrganizationCaller, @Param() { id }: WorkflowPath): Promise<Workflow> {
    return this.workflows.get(caller, id);
  }

  @Patch(':id')
  @OrganizationAccess('admin')
  @Answers(200, Workflow, 'Change a workflow; a mask sent back keeps what is stored')
  update(
    @Member() caller: OrganizationCaller,
    @Param() { id }: WorkflowPath,
    @Body() changes: WorkflowUpdate,
  ): Promise<Workflow> {
    return this.workflows.update(caller, id, changes);
  }

  @Delete(':id')
  @OrganizationAccess('admin')
  @Answers(204, undefined, 'Delete a workflow and cancel its pending deliveries')
  remove(@Member() caller: OrganizationCaller, @Param() { id }: WorkflowPath): Promise<void> {
    return this.workflows.remove(caller, id);
  }

  @Post(':id/run')
  @OrganizationAccess('member')
  @Answers(202, WorkflowRunStarted, 'Run a workflow now, on all that its conditions match')
  @Refuses({ conflict: 'The workflow is disabled' })
  run(@Member() caller: OrganizationCaller, @Param() { id }: WorkflowPath): Promise<WorkflowRunStarted> {
    return this.runs.runByHand(caller, id);
  }

  @Get(':id/runs')
  @OrganizationAccess('viewer')
  @Answers(200, WorkflowRunPage, 'List the runs of a workflow, newest first')
  listRuns(
    @Member() caller: OrganizationCaller,
    @Param() { id }: WorkflowPath,
    @Query() paging: CursorPaging,
  ): Promise<WorkflowRunPage> {
    return this.runs.list(caller, id, paging);
  }
}
