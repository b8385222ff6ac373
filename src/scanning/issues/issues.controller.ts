import { Body, Controller, Get, Param, Patch, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { OrganizationAccess } from '../../platform/auth/access.js';
import { Member, type OrganizationCaller } from '../../platform/auth/organization-caller.js';
import { Answers, Refuses } from '../../platform/http/answers.js';
import { CursorPaging } from '../../platform/http/cursor.js';
import { TimeWindow } from '../../platform/http/time-buckets.js';
import { IssuesService } from './issues.service.js';
import { IssueSummaryService } from './issue-summary.service.js';
import { IssuesSummary } from './issue-summary.dto.js';
import { IssueTriageService } from './issue-triage.service.js';
import { IssuesUpdate, IssuesUpdateResult, IssueUpdate } from './issue-triage.dto.js';
import { Issue, IssueActivityPage, IssueFilter, IssuePage, IssuePath, IssueTargetPage } from './issues.dto.js';

@ApiTags('issues')
@Controller('api/v1/issues')
export class IssuesController {
  constructor(
    private readonly issues: IssuesService,
    private readonly triage: IssueTriageService,
    private readonly figures: IssueSummaryService,
  ) {}

  @Get()
  @OrganizationAccess('viewer')
  @Answers(
    200,
    IssuePage,
    'List issues, newest first',
    'Filtered by severity, category, status, asset, scan, profile, time or a text.',
  )
  @Refuses({ too_many_requests: ['rate_exceeded'] })
  list(@Query() filter: IssueFilter, @Member() { organizationId }: OrganizationCaller): Promise<IssuePage> {
    return this.issues.list(organizationId, filter);
  }

  @Patch()
  @OrganizationAccess('member')
  @Answers(
    200,
    IssuesUpdateResult,
    'Change the status or severity of up to 500 issues, or comment on them',
    'Each issue has its own result: if one does not exist, the others are still changed.',
  )
  updateMany(@Body() changes: IssuesUpdate, @Member() caller: OrganizationCaller): Promise<IssuesUpdateResult> {
    return this.triage.updateMany(caller, changes);
  }

  @Get('summary')
  @OrganizationAccess('viewer')
  @Answers(
    200,
    IssuesSummary,
    'Issue statistics: by severity, status, category and day',
    'Counts for a dashboard, of the issues that match the filters.',
  )
  @Refuses({ too_many_requests: ['rate_exceeded'] })
  summary(@Query() window: TimeWindow, @Member() { organizationId }: OrganizationCaller): Promise<IssuesSummary> {
    return this.figures.summary(organizationId, window);
  }

  @Get(':id')
  @OrganizationAccess('viewer')
  @Answers(
    200,
    Issue,
    'Get an issue',
    'One issue with its asset, the newest scan that found it, and where it was found.',
  )
  get(@Param() { id }: IssuePath, @Member() { organizationId }: OrganizationCaller): Promise<Issue> {
    return this.issues.get(organizationId, id);
  }

  @Patch(':id')
  @OrganizationAccess('member')
  @Answers(
    200,
    Issue,
    "Change an issue's status or severity, or comment on it",
    'Users can change any status to any other; each change is recorded as an activity, with the comment. A ' +
      'severity set here stays even if a later scan reports another one.',
  )
  update(
    @Param() { id }: IssuePath,
    @Body() changes: IssueUpdate,
    @Member() caller: OrganizationCaller,
  ): Promise<Issue> {
    return this.triage.update(caller, id, changes);
  }

  @Get(':id/targets')
  @OrganizationAccess('viewer')
  @Answers(200, IssueTargetPage, 'List where an issue was found', 'Routes, files, pages and other targets, in pages.')
  targets(
    @Param() { id }: IssuePath,
    @Query() paging: CursorPaging,
    @Member() { organizationId }: OrganizationCaller,
  ): Promise<IssueTargetPage> {
    return this.issues.targets(organizationId, id, paging);
  }

  @Get(':id/activities')
  @OrganizationAccess('viewer')
  @Answers(
    200,
    IssueActivityPage,
    'List what happened to an issue, newest first',
    'Changes of status and severity, and comments: who, when, from what to what.',
  )
  activities(
    @Param() { id }: IssuePath,
    @Query() paging: CursorPaging,
    @Member() { organizationId }: OrganizationCaller,
  ): Promise<IssueActivityPage> {
    return this.issues.activities(organizationId, id, paging);
  }
}
