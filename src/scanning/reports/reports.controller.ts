import { Controller, Post, Query, Req, Res } from '@nestjs/common';
import { ApiExtraModels, ApiOperation, ApiTags, getSchemaPath } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { OrganizationAccess } from '../../common/auth/access.js';
import { Member, type OrganizationCaller } from '../../common/auth/organization-caller.js';
import { Answers } from '../../common/http/answers.js';
import { ReportImports } from './report-imports.service.js';
import { ImportQuery, ImportResult, ReportUpload } from './reports.shapes.js';

const text = { schema: { type: 'string' as const } };
const object = { type: 'object' as const, additionalProperties: true };
const json = { schema: { oneOf: [object, { type: 'array' as const, items: object }] } };

/** The report as the body itself, or as the file of a form. */
const requestBody = {
  required: true,
  content: {
    'application/json': json,
    'application/sarif+json': json,
    'application/x-ndjson': text,
    'application/octet-stream': { schema: { type: 'string' as const, format: 'binary' } },
    'text/plain': text,
    'multipart/form-data': { schema: { $ref: getSchemaPath(ReportUpload) } },
  },
};

@ApiTags('scans')
@Controller('api/v1/scans')
export class ReportsController {
  constructor(private readonly imports: ReportImports) {}

  @Post('import')
  @OrganizationAccess('member')
  @ApiExtraModels(ReportUpload)
  @Answers(201, ImportResult, 'Import a report: SARIF 2.1.0, OWASP ZAP JSON or Nuclei JSONL')
  @ApiOperation({ requestBody })
  import(
    @Query() query: ImportQuery,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
    @Member() { organizationId }: OrganizationCaller,
  ): Promise<ImportResult> {
    return this.imports.import(organizationId, query, request, response);
  }
}
