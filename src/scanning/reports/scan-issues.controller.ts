import { Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { OrganizationAccess } from '../../platform/auth/access.js';
import { Member, type OrganizationCaller } from '../../platform/auth/organization-caller.js';
import { Answers, Refuses } from '../../platform/http/answers.js';
import { ScanPath } from '../scans/scans.dto.js';
import { ScanIssuesService } from './scan-issues.service.js';
import { ScanIssues } from './scan-issues.dto.js';

@ApiTags('scans')
@Controller('api/v1/scans')
export class ScanIssuesController {
  constructor(private readonly issues: ScanIssuesService) {}

  @Get(':id/issues')
  @OrganizationAccess('viewer')
  @Answers(
    200,
    ScanIssues,
    "Get a scan's issues: new, seen again and gone",
    'Counts them by severity and lists them, compared with the previous scan. GET issues?scanIds= pages through ' +
      'all issues that it found.',
  )
  @Refuses({ too_many_requests: ['rate_exceeded'] })
  get(@Param() { id }: ScanPath, @Member() { organizationId }: OrganizationCaller): Promise<ScanIssues> {
    return this.issues.get(organizationId, id);
  }
}
