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
  @EnumField(reportFormats, { optional: true, description: 'Found from the content where left out' })
  format?: ReportFormat;
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
  @StringField({ format: 'binary', description: 'A report: SARIF 2.1.0, OWASP ZAP JSON, or Nuclei JSONL or JSON' })
  file: string;
}

export class SkippedFinding {
  @IntegerField({ description: 'Which of the findings it is, from 0, in the order of the report' })
  index: number;
  @StringField({ description: 'Why nothing was made of it' })
  reason: string;
}

export class ImportResult {
  @ObjectField(() => ResourceScan)
  scan: ResourceScan;
  @IntegerField({ description: 'What the report holds: SARIF results, ZAP alerts, Nuclei lines' })
  findings: number;
  @IntegerField({ description: 'Findings that are new issues' })
  created: number;
  @IntegerField({ description: 'Findings whose issue was known, or that repeat another one of the report' })
  seen: number;
  @IntegerField({ description: 'Places where the issues were found, each counted once an issue' })
  targets: number;
  @IntegerField({ description: 'Events that were added to the scan' })
  events: number;
  @ArrayField(() => SkippedFinding, { description: 'Findings of which nothing was made: all of them' })
  skipped: SkippedFinding[];
}
