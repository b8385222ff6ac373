import { Body, Controller, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { OrganizationAccess } from '../../platform/auth/access.js';
import { Member, type OrganizationCaller } from '../../platform/auth/organization-caller.js';
import { Answers, Examples, Refuses } from '../../platform/http/answers.js';
import { CursorPaging } from '../../platform/http/cursor.js';
import { TimeWindow } from '../../platform/http/time-buckets.js';
import { IssueBulkService } from './issue-bulk.service.js';
import { IssueBulkChange, IssueBulkResult } from './issue-bulk.dto.js';
import { IssuesService } from './issues.service.js';
import { IssueSummaryService } from './issue-summary.service.js';
import { IssuesSummary } from './issue-summary.dto.js';
import { IssueTriageService } from './issue-triage.service.js';
import { IssuesUpdate, IssuesUpdateResult, IssueUpdate } from './issue-triage.dto.js';
import { IssueFilter } from './issue-filter.dto.js';
import { Issue, IssueActivityPage, IssuePage, IssuePath, IssueTargetPage } from './issues.dto.js';

@ApiTags('issues')
@Controller('api/v1/issues')
export class IssuesController {
  constructor(
    private readonly issues: IssuesService,
    private readonly triage: IssueTriageService,
    private readonly figures: IssueSummaryService,
    private readonly bulkChanges: IssueBulkService,
  ) {}

  @Get()
  @OrganizationAccess('viewer')
  @Answers(
    200,
    IssuePage,
    'List issues, newest first unless `sort` says otherwise',
    'Filtered by severity, category, status, asset and its tags and name, scan, profile, rule, identifier, tool, assignee, due ' +
      'date, times or a text.',
  )
  @Refuses({ too_many_requests: ['rate_exceeded'] })
  list(@Query() filter: IssueFilter, @Member() caller: OrganizationCaller): Promise<IssuePage> {
    return this.issues.list(caller, filter);
  }

  @Patch()
  @OrganizationAccess('member')
  @Answers(
    200,
    IssuesUpdateResult,
    'Change up to 500 issues, or comment on them',
    'Each issue has its own result: if one does not exist, the others are still changed.',
  )
  updateMany(@Body() changes: IssuesUpdate, @Member() caller: OrganizationCaller): Promise<IssuesUpdateResult> {
    return this.triage.updateMany(caller, changes);
  }

  @Post('bulk')
  @OrganizationAccess('member')
  @Answers(
    200,
    IssueBulkResult,
    'Change all issues that match a filter',
    'Up to 10,000 at once: repeat it while `remaining` is more than 0. With `dryRun`, it only says what would change; ' +
      'with `expectedCount`, it changes nothing if other issues match than the caller saw.',
  )
  @Refuses({ conflict: ['count_differs'], too_many_requests: ['rate_exceeded'] })
  @Examples({ body: { filter: { severities: ['LOW'] }, changes: { status: 'MANUAL_REVIEW' }, dryRun: true } })
  bulk(@Body() change: IssueBulkChange, @Member() caller: OrganizationCaller): Promise<IssueBulkResult> {
    return this.bulkChanges.change(caller, change);
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
    'One issue with its asset, the newest scan that found it, where it was found, and what shows it.',
  )
  get(@Param() { id }: IssuePath, @Member() { organizationId }: OrganizationCaller): Promise<Issue> {
    return this.issues.get(organizationId, id);
  }

  @Patch(':id')
  @OrganizationAccess('member')
  @Answers(
    200,
    Issue,
    'Change an issue, or comment on it',
    'Users can change any status to any other, and the severity, assignee, due date, acceptance and link; each change ' +
      'is recorded as an activity, with the comment. A severity set here stays even if a later scan reports another one.',
  )
  update(
    @Param() { id }: IssuePath,
    @Body() changes: IssueUpdate,
    @Member() caller: OrganizationCaller,
  ): Promise<Issue> {
    return this.triage.update(caller, id, changes);
  }

  @Get(':id/similar')
  @OrganizationAccess('viewer')
  @Answers(
    200,
    IssuePage,
    'List where else the rule of an issue fired',
    'The other issues with the same `securityTestUid`, newest first.',
  )
  similar(
    @Param() { id }: IssuePath,
    @Query() paging: CursorPaging,
    @Member() { organizationId }: OrganizationCaller,
  ): Promise<IssuePage> {
    return this.issues.similar(organizationId, id, paging);
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
