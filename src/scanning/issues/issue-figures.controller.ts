import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { OrganizationAccess } from '../../platform/auth/access.js';
import { Member, type OrganizationCaller } from '../../platform/auth/organization-caller.js';
import { Answers, Refuses } from '../../platform/http/answers.js';
import { IssueFiguresService } from './issue-figures.service.js';
import { IssueGroupFilter, IssueGroups, IssueMetrics, IssueMetricsFilter } from './issue-figures.dto.js';

@ApiTags('issues')
@Controller('api/v1/issues')
export class IssueFiguresController {
  constructor(private readonly figures: IssueFiguresService) {}

  @Get('groups')
  @OrganizationAccess('viewer')
  @Answers(
    200,
    IssueGroups,
    'Count issues by rule, asset or severity',
    'With the filters of the list. `key` leads to the issues of a group.',
  )
  @Refuses({ too_many_requests: ['rate_exceeded'] })
  groups(@Query() filter: IssueGroupFilter, @Member() caller: OrganizationCaller): Promise<IssueGroups> {
    return this.figures.groups(caller, filter);
  }

  @Get('metrics')
  @OrganizationAccess('viewer')
  @Answers(
    200,
    IssueMetrics,
    'Get how the organization does with its issues',
    'Time to fix by severity, what is overdue, what was opened and closed by week, and how old is what is open; with ' +
      'the filters of the list.',
  )
  @Refuses({ too_many_requests: ['rate_exceeded'] })
  metrics(@Query() filter: IssueMetricsFilter, @Member() caller: OrganizationCaller): Promise<IssueMetrics> {
    return this.figures.metrics(caller, filter);
  }
}
