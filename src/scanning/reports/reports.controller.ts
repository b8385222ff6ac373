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
  'Creates a scan with the assets, issues, targets and events of the report: all of it or nothing. SARIF 2.1.0, ' +
    'OWASP ZAP JSON and XML, Nuclei JSONL, CycloneDX, Trivy, npm audit and GitLab JSON, and Burp XML are read, any other JSON by a `mapping`; the format is detected from ' +
    'the content, and gzip is accepted. Every finding is created, seen or skipped, and the response ' +
    'names what was skipped or cut: `findings` = `created` + `seen` + `skippedCount`.',
  'The findings belong to `asset` if it is given, else to what the report names (repository by ' +
    'versionControlProvenance, automation id, page, site or host), else to `repository`. A report without any of ' +
    'these is a 422, so that reports of two repositories are never mixed up.',
  'A run that did not start or succeed, or has no results, becomes a FAILED scan with its findings; it makes no ' +
    'issue gone, and `notRun` says why. Neither does an empty report, unless `allowEmpty` says that it is a clean ' +
    'scan. A finding that the tool suppresses is created as IGNORED, one that was marked as a false positive in ' +
    'ZAP as FALSE_POSITIVE; a vulnerability that a VEX statement calls not affected or a false positive likewise.',
  'The response counts the issues by severity and by rule, and lists those that are gone: open issues that an ' +
    'earlier report of this tool, `category`, asset and `branch` had and this one lacks or calls absent (SARIF ' +
    'baselineState). `resolveGone` resolves these; `dryRun` imports nothing and returns the same. If a tool runs ' +
    'over parts of a repository, give each part its own category: otherwise each report counts as the successor of ' +
    'the previous one, and the issues of that one are gone.',
  'A report of several tools becomes one scan per tool, and each is compared with its own earlier reports: see ' +
    '`tools`. Paths below `root`, or below the bases and working directories that the report names, become ' +
    'relative; `absolutePaths` lists the others. GET issues/{id} returns everything else that a report says of a ' +
    'finding (rule, identifiers, evidence, fixes, properties …); `notKept` lists what is not stored of it, and ' +
    '`cut` what was too long.',
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
  @Answers(201, ImportResult, 'Import a report of a scanner', description)
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
