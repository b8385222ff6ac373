import {
  ArrayField,
  EnumField,
  IntegerField,
  ObjectField,
  StringField,
  UuidField,
} from '../../common/validation/fields.js';
import { ResourceScan } from '../scans/scans.shapes.js';
import { type ScanKind, scanKinds } from '../vocabulary.js';
import { type ReportFormat, reportFormats } from './report-finding.js';

export class ImportQuery {
  @EnumField(reportFormats, {
    optional: true,
    description: 'Found from the content where left out; an empty file is a clean scan with nuclei-jsonl alone',
  })
  format?: ReportFormat;
  @StringField({
    optional: true,
    minLength: 1,
    maxLength: 500,
    example: 'https://code.example.com/acme/shop',
    description:
      'What all findings are of: the name or uri of an asset, or the address of a repository, site or host. Found, or ' +
      'made. Where left out, what the report says of itself',
  })
  asset?: string;
  @UuidField({ optional: true, description: 'The profile of the scan; else one named after the tool is found or made' })
  profileId?: string;
  @EnumField(scanKinds, {
    optional: true,
    description: 'FRONTEND_DAST for ZAP, ASM_WEBAPP for Nuclei, ASM_CODE_PROJECT for SARIF where left out',
  })
  kind?: ScanKind;
}

/** The form of an import; it is read as a stream, and described by this. */
export class ReportUpload {
  @StringField({
    format: 'binary',
    description: 'A report: SARIF 2.1.0, OWASP ZAP JSON or XML, or Nuclei JSONL or JSON; also gzipped',
  })
  file: string;
}

export class NamedFinding {
  @IntegerField({
    nullable: true,
    description: 'Which of the findings it is, from 0, in the order of the report; null for the report itself',
  })
  index: number | null;
  @StringField({ description: 'Why nothing was made of it, or what of it was cut', example: 'The result is no object' })
  reason: string;
}

export class ImportResult {
  @ObjectField(() => ResourceScan)
  scan: ResourceScan;
  @IntegerField({
    description:
      'What the report holds: SARIF results, ZAP alerts, Nuclei lines; created, seen and skipped add up to it',
    example: 2,
  })
  findings: number;
  @IntegerField({ description: 'Findings that are new issues', example: 1 })
  created: number;
  @IntegerField({ description: 'Findings whose issue was known, or that repeat another one of the report' })
  seen: number;
  @IntegerField({ description: 'Places where the issues were found, each counted once an issue' })
  targets: number;
  @IntegerField({ description: 'Events that were added to the scan' })
  events: number;
  @ArrayField(() => NamedFinding, { description: 'Findings of which nothing was made: the first 1,000' })
  skipped: NamedFinding[];
  @IntegerField({ description: 'How many findings nothing was made of' })
  skippedCount: number;
  @ArrayField(() => NamedFinding, {
    description: 'Findings that say more than is kept, with what was cut of them: the first 1,000',
  })
  cut: NamedFinding[];
  @IntegerField({ description: 'How many of such there are' })
  cutCount: number;
}
