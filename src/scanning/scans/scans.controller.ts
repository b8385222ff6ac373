import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { OrganizationAccess } from '../../common/auth/access.js';
import { Member, type OrganizationCaller } from '../../common/auth/organization-caller.js';
import { MethodNotAllowed } from '../../common/errors/kinds.js';
import { Answers, NotOffered, Refuses } from '../../common/http/answers.js';
import { ScansService } from './scans.service.js';
import { ResourceScan, ScanCreate, ScanFilter, ScanPage, ScanPath, ScanUpdate } from './scans.shapes.js';

@ApiTags('scans')
@Controller('api/v1/scans')
export class ScansController {
  constructor(private readonly scans: ScansService) {}

  @Get()
  @OrganizationAccess('viewer')
  @Answers(200, ScanPage, 'List scans, newest first')
  list(@Query() filter: ScanFilter, @Member() { organizationId }: OrganizationCaller): Promise<ScanPage> {
    return this.scans.list(organizationId, filter);
  }

  @Post()
  @OrganizationAccess('member')
  @Answers(201, ResourceScan, 'Start a scan')
  create(@Body() scan: ScanCreate, @Member() { organizationId }: OrganizationCaller): Promise<ResourceScan> {
    return this.scans.create(organizationId, scan);
  }

  @Get(':id')
  @OrganizationAccess('viewer')
  @Answers(200, ResourceScan, 'Get a scan')
  get(@Param() { id }: ScanPath, @Member() { organizationId }: OrganizationCaller): Promise<ResourceScan> {
    return this.scans.get(organizationId, id);
  }

  @Patch(':id')
  @OrganizationAccess('member')
  @Answers(200, ResourceScan, 'Move a scan on: its status, its progress, or both')
  @Refuses({ conflict: 'The status cannot become the new one, or is final' })
  update(
    @Param() { id }: ScanPath,
    @Body() changes: ScanUpdate,
    @Member() { organizationId }: OrganizationCaller,
  ): Promise<ResourceScan> {
    return this.scans.update(organizationId, id, changes);
  }

  @Post(':id/cancel')
  @OrganizationAccess('member')
  @Answers(200, ResourceScan, 'Cancel a scan')
  @Refuses({ conflict: 'The scan is at its end' })
  cancel(@Param() { id }: ScanPath, @Member() { organizationId }: OrganizationCaller): Promise<ResourceScan> {
    return this.scans.cancel(organizationId, id);
  }

  @Delete(':id')
  @OrganizationAccess('viewer')
  @NotOffered('Scans are records: they cannot be deleted')
  remove(@Param() _path: ScanPath): never {
    throw new MethodNotAllowed('Scans are records: they cannot be deleted. Cancel one that should end', [
      'GET',
      'HEAD',
      'PATCH',
    ]);
  }
}
