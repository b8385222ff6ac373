import { Body, Controller, Delete, Get, Param, Patch, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { OrganizationAccess } from '../../common/auth/access.js';
import { Member, type OrganizationCaller } from '../../common/auth/organization-caller.js';
import { MethodNotAllowed } from '../../common/errors/kinds.js';
import { Answers, NotOffered } from '../../common/http/answers.js';
import { CursorPaging } from '../../common/http/cursor.js';
import { IssuesService } from './issues.service.js';
import { Issue, IssueActivityPage, IssueFilter, IssuePage, IssuePath, IssueUpdate } from './issues.shapes.js';

@ApiTags('issues')
@Controller('api/v1/issues')
export class IssuesController {
  constructor(private readonly issues: IssuesService) {}

  @Get()
  @OrganizationAccess('viewer')
  @Answers(200, IssuePage, 'List issues, newest first')
  list(@Query() filter: IssueFilter, @Member() { organizationId }: OrganizationCaller): Promise<IssuePage> {
    return this.issues.list(organizationId, filter);
  }

  @Get(':id')
  @OrganizationAccess('viewer')
  @Answers(200, Issue, 'Get an issue')
  get(@Param() { id }: IssuePath, @Member() { organizationId }: OrganizationCaller): Promise<Issue> {
    return this.issues.get(organizationId, id);
  }

  @Patch(':id')
  @OrganizationAccess('member')
  @Answers(200, Issue, "Change an issue's status or severity, or comment on it")
  update(
    @Param() { id }: IssuePath,
    @Body() changes: IssueUpdate,
    @Member() caller: OrganizationCaller,
  ): Promise<Issue> {
    return this.issues.update(caller, id, changes);
  }

  @Get(':id/activities')
  @OrganizationAccess('viewer')
  @Answers(200, IssueActivityPage, 'List what happened to an issue, newest first')
  activities(
    @Param() { id }: IssuePath,
    @Query() paging: CursorPaging,
    @Member() { organizationId }: OrganizationCaller,
  ): Promise<IssueActivityPage> {
    return this.issues.activities(organizationId, id, paging);
  }

  @Delete(':id')
  @OrganizationAccess('viewer')
  @NotOffered('Issues are records: they cannot be deleted')
  remove(@Param() _path: IssuePath): never {
    throw new MethodNotAllowed('Issues are records: they cannot be deleted. Set the status IGNORED to put one aside', [
      'GET',
      'HEAD',
      'PATCH',
    ]);
  }
}
