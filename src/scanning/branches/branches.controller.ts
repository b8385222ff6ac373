import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { OrganizationAccess } from '../../platform/auth/access.js';
import { Member, type OrganizationCaller } from '../../platform/auth/organization-caller.js';
import { Answers } from '../../platform/http/answers.js';
import { BranchesService } from './branches.service.js';
import { BranchFilter, BranchPage } from './branches.dto.js';

@ApiTags('branches')
@Controller('api/v1/branches')
export class BranchesController {
  constructor(private readonly branches: BranchesService) {}

  @Get()
  @OrganizationAccess('viewer')
  @Answers(
    200,
    BranchPage,
    'List branches, newest first',
    'The branches of assets, as scans name them. Closed ones are listed for thirty more days.',
  )
  list(@Query() filter: BranchFilter, @Member() { organizationId }: OrganizationCaller): Promise<BranchPage> {
    return this.branches.list(organizationId, filter);
  }
}
