import { Body, Controller, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { OrganizationAccess } from '../../platform/auth/access.js';
import { Member, type OrganizationCaller } from '../../platform/auth/organization-caller.js';
import { Answers, Examples, Refuses } from '../../platform/http/answers.js';
import { demo } from '../../platform/openapi/demo-values.js';
import { ScansService } from './scans.service.js';
import { ResourceScan, ScanCreate, ScanFilter, ScanPage, ScanPath, ScanUpdate } from './scans.dto.js';

@ApiTags('scans')
@Controller('api/v1/scans')
export class ScansController {
  constructor(private readonly scans: ScansService) {}

  @Get()
  @OrganizationAccess('viewer')
  @Answers(200, ScanPage, 'List scans, newest first', 'Filtered by status, kind, profile, asset or time.')
  list(@Query() filter: ScanFilter, @Member() { organizationId }: OrganizationCaller): Promise<ScanPage> {
    return this.scans.list(organizationId, filter);
  }

  @Post()
  @OrganizationAccess('member')
  @Answers(
    201,
    ResourceScan,
    'Start a scan',
    'Its scanner then appends events and issues, and updates the status until it is FINISHED or FAILED.',
  )
  create(@Body() scan: ScanCreate, @Member() { organizationId }: OrganizationCaller): Promise<ResourceScan> {
    return this.scans.start(organizationId, scan);
  }

  @Get(':id')
  @OrganizationAccess('viewer')
  @Answers(200, ResourceScan, 'Get a scan', 'One scan with its profile, status and progress.')
  get(@Param() { id }: ScanPath, @Member() { organizationId }: OrganizationCaller): Promise<ResourceScan> {
    return this.scans.get(organizationId, id);
  }

  @Patch(':id')
  @OrganizationAccess('member')
  @Answers(
    200,
    ResourceScan,
    'Update the status or progress of a scan',
    'Its status, its progress, or both: STARTING to RUNNING, RUNNING to FINISHED, and to FAILED or CANCELED ' +
      'from either, the first with a `failureReason` if there is one. These three are final. FINISHED sets the progress ' +
      'to 1.',
  )
  @Refuses({ conflict: ['impossible_transition'] })
  @Examples({ id: demo('runningScan') })
  update(
    @Param() { id }: ScanPath,
    @Body() changes: ScanUpdate,
    @Member() { organizationId }: OrganizationCaller,
  ): Promise<ResourceScan> {
    return this.scans.update(organizationId, id, changes);
  }

  @Post(':id/cancel')
  @OrganizationAccess('member')
  @Answers(200, ResourceScan, 'Cancel a scan', 'The same as setting its status to CANCELED.')
  @Refuses({ conflict: ['impossible_transition'] })
  @Examples({ id: demo('runningScan') })
  cancel(@Param() { id }: ScanPath, @Member() { organizationId }: OrganizationCaller): Promise<ResourceScan> {
    return this.scans.cancel(organizationId, id);
  }
}
