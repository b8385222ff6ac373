import { Controller, Param, Post, Req } from '@nestjs/common';
import { ApiBody, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { OrganizationAccess } from '../../platform/auth/access.js';
import { Member, type OrganizationCaller } from '../../platform/auth/organization-caller.js';
import { Answers, Examples, Refuses } from '../../platform/http/answers.js';
import { StreamedBody } from '../../platform/http/streamed-body.js';
import { demo } from '../../platform/openapi/demo-values.js';
import { ScanPath } from '../scans/scans.dto.js';
import { IssueCreate, IssueAppendResult } from './issue-append.dto.js';
import { ScanFindingsService } from './scan-findings.service.js';

@ApiTags('issues')
@Controller('api/v1/scans')
export class IssueAppendsController {
  constructor(private readonly findings: ScanFindingsService) {}

  @Post(':id/issues')
  @StreamedBody()
  @OrganizationAccess('member')
  @ApiBody({ type: [IssueCreate] })
  @Answers(
    201,
    IssueAppendResult,
    'Append the issues that a scan found',
    'New issues, or issues found again: the same finding in a later scan is the same issue. It is reopened if it ' +
      'was resolved, and left unchanged if it was set aside. Either all are accepted or none.',
  )
  @Refuses({ quota_exceeded: ['quota_exceeded'] })
  @Examples({ id: demo('runningScan') })
  append(
    @Param() { id }: ScanPath,
    @Req() request: Request,
    @Member() { organizationId }: OrganizationCaller,
  ): Promise<IssueAppendResult> {
    return this.findings.append(organizationId, id, request);
  }
}
