import { Controller, Get, Query, StreamableFile } from '@nestjs/common';
import { ApiProduces, ApiTags } from '@nestjs/swagger';
import { OrganizationAccess } from '../../platform/auth/access.js';
import { Member, type OrganizationCaller } from '../../platform/auth/organization-caller.js';
import { Answers, Examples, Refuses } from '../../platform/http/answers.js';
import { IssueExportQuery } from './issue-exports.dto.js';
import { IssueExportsService } from './issue-exports.service.js';

const line =
  'id,severity,status,name,rule,asset,place,category,identifiers,tool,first_seen,last_seen,resolved_at,by,why,link';

@ApiTags('issues')
@Controller('api/v1/issues')
export class IssueExportsController {
  constructor(private readonly exports: IssueExportsService) {}

  @Get('export')
  @OrganizationAccess('viewer')
  @ApiProduces(
    'text/csv',
    'application/x-ndjson',
    'application/sarif+json',
    'application/vnd.cyclonedx+json',
    'text/html',
  )
  @Answers(
    200,
    String,
    'Export issues as a file',
    'All issues that match the filters of the list, however many, newest first. In CSV, a text that a spreadsheet ' +
      'would treat as a formula begins with an apostrophe. An answer that ends early is not complete: its connection ' +
      'breaks off.',
  )
  @Refuses({ too_many_requests: ['rate_exceeded'] })
  @Examples({ answer: `${line}\r\n` })
  async export(@Query() query: IssueExportQuery, @Member() caller: OrganizationCaller): Promise<StreamableFile> {
    const { body, type, name } = await this.exports.export(caller, query);
    return new StreamableFile(body, { type, disposition: `attachment; filename="${name}"` });
  }
}
