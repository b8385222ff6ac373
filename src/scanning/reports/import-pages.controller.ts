import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { OrganizationAccess } from '../../platform/auth/access.js';
import { Member, type OrganizationCaller } from '../../platform/auth/organization-caller.js';
import { Answers } from '../../platform/http/answers.js';
import { ImportPagesService } from './import-pages.service.js';
import { ImportedIssuePage, ImportPaging, ImportPath } from './reports.dto.js';

@ApiTags('scans')
@Controller('api/v1/imports')
export class ImportPagesController {
  constructor(private readonly pages: ImportPagesService) {}

  @Get(':id/issues')
  @OrganizationAccess('viewer')
  @Answers(
    200,
    ImportedIssuePage,
    'List all issues of an import by outcome',
    'For an import with `list=true`, also a dry run, by the id of its scan: 500 per page, the most severe first, ' +
      'for 24 hours. The response of the import itself lists only the most severe.',
  )
  list(
    @Param() { id }: ImportPath,
    @Query() { cursor }: ImportPaging,
    @Member() { organizationId }: OrganizationCaller,
  ): Promise<ImportedIssuePage> {
    return this.pages.get(organizationId, id, cursor);
  }
}
