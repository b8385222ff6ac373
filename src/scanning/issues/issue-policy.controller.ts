import { Body, Controller, Get, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { OrganizationAccess } from '../../platform/auth/access.js';
import { Member, type OrganizationCaller } from '../../platform/auth/organization-caller.js';
import { Answers, Examples, Refuses } from '../../platform/http/answers.js';
import { IfMatch, TakesIfMatch, Versioned } from '../../platform/http/if-match.js';
import { IssuePoliciesService } from './issue-policies.service.js';
import { IssuePolicy, IssuePolicyUpdate } from './issue-policy.dto.js';

@ApiTags('issues')
@Controller('api/v1/issues')
export class IssuePolicyController {
  constructor(private readonly policies: IssuePoliciesService) {}

  @Get('policy')
  @OrganizationAccess('viewer')
  @Versioned()
  @Answers(
    200,
    IssuePolicy,
    'Get how the organization handles its issues',
    'The days in which new issues are to be fixed, and who is assigned them.',
  )
  get(@Member() { organizationId }: OrganizationCaller): Promise<IssuePolicy> {
    return this.policies.get(organizationId);
  }

  @Put('policy')
  @OrganizationAccess('admin')
  @Answers(
    200,
    IssuePolicy,
    'Set how the organization handles its issues',
    'For issues that are found from now on, by imports and by scanners. Earlier ones stay as they are.',
  )
  @TakesIfMatch()
  @Refuses({ precondition_failed: ['changed_meanwhile'] })
  @Examples({ body: { daysToFix: { CRITICAL: 7, HIGH: 30 }, assignees: [], reasonRequired: false } })
  replace(
    @Body() policy: IssuePolicyUpdate,
    @Member() { organizationId }: OrganizationCaller,
    @IfMatch() ifMatch: string | null,
  ): Promise<IssuePolicy> {
    return this.policies.replace(organizationId, policy, ifMatch);
  }
}
