import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { OrganizationAccess } from '../../platform/auth/access.js';
import { Member, type OrganizationCaller } from '../../platform/auth/organization-caller.js';
import { Answers, Refuses } from '../../platform/http/answers.js';
import { BranchesClose, BranchesClosed } from '../branches/branches.dto.js';
import { BranchClosingsService } from './branch-closings.service.js';

@ApiTags('branches')
@Controller('api/v1/branches')
export class BranchClosingsController {
  constructor(private readonly closings: BranchClosingsService) {}

  @Post('close')
  @HttpCode(200)
  @OrganizationAccess('member')
  @Answers(
    200,
    BranchesClosed,
    'Close a branch that was merged or deleted',
    'The open issues that only this branch had are resolved; those that it shares with others stay. A name without an ' +
      'open branch closes nothing. A later scan of the branch opens it again.',
  )
  @Refuses({ conflict: ['default_branch'] })
  close(@Body() named: BranchesClose, @Member() { organizationId }: OrganizationCaller): Promise<BranchesClosed> {
    return this.closings.close(organizationId, named);
  }
}
