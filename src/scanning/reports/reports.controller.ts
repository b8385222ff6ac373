import { Controller, Post, Query, Req, Res } from '@nestjs/common';
import { ApiExtraModels, ApiOperation, ApiTags, getSchemaPath } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { OrganizationAccess } from '../../platform/auth/access.js';
import { Member, type OrganizationCaller } from '../../platform/auth/organization-caller.js';
import { Answers, Examples, Refuses } from '../../platform/http/answers.js';
import { IdempotencyKey, TakesIdempotencyKey } from '../../platform/http/idempotency-key.js';
import { StreamedBody } from '../../platform/http/streamed-body.js';
import { ReportImportsService } from './report-imports.service.js';
import { ImportQuery, ReportUpload } from './import-query.dto.js';
import { ImportResult } from './reports.dto.js';

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
    'application/xml': text,
    'application/gzip': { schema: { type: 'string' as const, format: 'binary' } },
    'application/octet-stream': { schema: { type: 'string' as const, format: 'binary' } },
    'text/plain': text,
    'multipart/form-data': { schema: { $ref: getSchemaPath(ReportUpload) } },
  },
};

const description = [
  'Makes a scan of the report with its assets, issues, targets and events, all of it or nothing. The format is found ' +
    'from the content; gzip is taken as it is. Every finding is created, seen or skipped, and what is skipped or cut is ' +
    'named: `findings` = `created` + `seen` + `skippedCount`.',
  'The findings are of `asset`, where it is named; else of what the report says: the repository ' +
    '(versionControlProvenance), the automation id, the page, site or host; else of `repository`. A report that names nothing of it is a 422: ' +
    'reports of two repositories never meet in one asset.',
  'A run that says that it did not start or succeed, or has no results, makes a FAILED scan, which keeps what was found, and ' +
    'nothing is gone by it: `notRun` says why. Neither is it by an empty report, unless `allowEmpty` says that it is a clean ' +
    'scan. What a tool itself suppresses is born IGNORED, what people marked in ZAP as a false positive FALSE_POSITIVE.',
  'The answer tells what became of the issues by severity and by rule, and what is gone: open issues that an earlier report of ' +
    'this tool, `category`, asset and `branch` had and this one lacks, or calls absent (SARIF baselineState). `resolveGone` ' +
    'resolves these, `dryRun` imports nothing and answers the same. Where a tool runs over the parts of a repository, give ' +
    'each part a category of its own: else each report is taken for the next of the one before, which its issues are gone from.',
  'A report of several tools makes a scan of each, and each is compared with its own earlier reports: see `tools`. ' +
    'Paths below `root`, or below the bases and working directories that the report names, become relative; `absolutePaths` ' +
    'names the others. GET issues/{id} has what else a report says of a finding (rule, identifiers, evidence, fixes, ' +
    'properties …); what is not kept of it stands in `notKept`, and what is too long in `cut`.',
].join('\n\n');

const smallReport = {
  version: '2.1.0',
  runs: [
    {
      tool: {
        driver: { name: 'CodeLook', rules: [{ id: 'sql-injection', properties: { 'security-severity': '8.8' } }] },
      },
      versionControlProvenance: [{ repositoryUri: 'https://code.example/harbour-outfitters/storefront-api' }],
      results: [
        {
          ruleId: 'sql-injection',
          message: { text: 'The query depends on a value that the user gives.' },
          locations: [{ physicalLocation: { artifactLocation: { uri: 'src/orders/order-export.ts' } } }],
        },
      ],
    },
  ],
};

@ApiTags('scans')
@Controller('api/v1/scans')
export class ReportsController {
  constructor(private readonly imports: ReportImportsService) {}

  @Post('import')
  @StreamedBody()
  @TakesIdempotencyKey('imports')
  @OrganizationAccess('importer')
  @ApiExtraModels(ReportUpload)
  @Answers(201, ImportResult, 'Import a report: SARIF 2.1.0, OWASP ZAP JSON or XML, or Nuclei JSONL', description)
  @Refuses({
    conflict: ['request_running'],
    quota_exceeded: ['quota_exceeded'],
    too_many_requests: ['rate_exceeded', 'busy'],
  })
  @ApiOperation({ requestBody })
  @Examples({ body: smallReport })
  import(
    @Query() query: ImportQuery,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
    @Member() { organizationId }: OrganizationCaller,
    @IdempotencyKey() key: string | null,
  ): Promise<ImportResult> {
    return this.imports.import({ organizationId, query, key }, request, response);
  }
}
