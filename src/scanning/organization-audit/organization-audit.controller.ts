import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AuditTrailService } from '../../platform/audit/audit-trail.service.js';
import { OrganizationAccess } from '../../platform/auth/access.js';
import { Member, type OrganizationCaller } from '../../platform/auth/organization-caller.js';
import { Answers } from '../../platform/http/answers.js';
import { OrganizationPath } from '../organizations/organizations.dto.js';
import { AuditPage, AuditQuery } from './organization-audit.dto.js';

@ApiTags('organizations')
@Controller('api/v1')
export class OrganizationAuditController {
  constructor(private readonly trail: AuditTrailService) {}

  @Get('organizations/:organizationId/audit')
  @OrganizationAccess('admin')
  @Answers(
    200,
    AuditPage,
    'Read the audit log of an organization, newest first',
    'Who did what to whom, when and from where: settings, members, API keys, integrations, workflows and deletions. ' +
      'Entries are written with the change itself, cannot be changed, and hold no secrets.',
  )
  list(
    @Param() _path: OrganizationPath,
    @Query() { size, cursor, ...filter }: AuditQuery,
    @Member() { organizationId }: OrganizationCaller,
  ): Promise<AuditPage> {
    return this.trail.list(organizationId, { size, cursor }, filter);
  }
}
