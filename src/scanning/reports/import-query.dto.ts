import { BooleanField, EnumField, StringField, UuidField } from '../../platform/validation/fields.js';
import { type ScanKind, scanKinds } from '../vocabulary.js';
import { type ReportFormat, reportFormats } from './report-finding.js';

export class ImportQuery {
  @EnumField(reportFormats, {
    optional: true,
    description: 'Found from the content where left out; only that of Nuclei may be empty: see allowEmpty',
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
  @StringField({
    optional: true,
    minLength: 1,
    maxLength: 500,
    description: 'The repository of what the report does not say; the client sends that of the pipeline it runs in',
  })
  repository?: string;
  @StringField({
    optional: true,
    minLength: 1,
    maxLength: 1_000,
    example: '/home/ci/w1/app',
    description:
      'The folder of the checkout in which the tool ran: paths below it become relative, so that a finding is the same on ' +
      'every machine. Also taken from originalUriBaseIds and workingDirectory of SARIF',
  })
  root?: string;
  @UuidField({ optional: true, description: 'The profile of the scan; else one named after the tool is found or made' })
  profileId?: string;
  @EnumField(scanKinds, {
    optional: true,
    description: 'FRONTEND_DAST for ZAP, ASM_WEBAPP for Nuclei, ASM_CODE_PROJECT for SARIF where left out',
  })
  kind?: ScanKind;
  @StringField({
    optional: true,
    minLength: 1,
    maxLength: 255,
    example: 'main',
    description:
      'The branch that was scanned. The reports of one tool, category, asset and branch follow each other: what an earlier ' +
      'one had and this one lacks is gone',
  })
  branch?: string;
  @StringField({
    optional: true,
    minLength: 1,
    maxLength: 255,
    description:
      'The branch that others are merged into; main, master or trunk where left out. What is gone there is gone, while on ' +
      'another branch an issue stays that the newest report of some branch still has',
  })
  defaultBranch?: string;
  @StringField({ optional: true, minLength: 1, maxLength: 100, description: 'The commit that was scanned; recorded' })
  commit?: string;
  @StringField({
    optional: true,
    minLength: 1,
    maxLength: 500,
    example: 'front',
    description:
      'Parts several runs of one tool on an asset and branch, such as those over the parts of a repository: the reports of a ' +
      'category follow each other alone. Where left out, what precedes the last slash of the automation id that a SARIF report ' +
      'has (automationDetails.id)',
  })
  category?: string;
  @BooleanField({
    default: false,
    description: 'Resolves what is gone, and nothing else. Not where a part of the report could not be read',
  })
  resolveGone: boolean;
  @BooleanField({
    default: false,
    description:
      'Keeps the whole list of issues for a day, of a dry run too: GET imports/{id}/issues, by the id of the scan',
  })
  list: boolean;
  @BooleanField({
    default: false,
    description:
      'Takes an empty report for a clean scan: Nuclei writes nothing where it finds nothing. Otherwise nothing is gone by it, ' +
      'since a tool that did not run writes nothing either',
  })
  allowEmpty: boolean;
  @BooleanField({
    default: false,
    description: 'Imports nothing and answers the same; no scan or issue of the answer that is new exists afterwards',
  })
  dryRun: boolean;
}

/** The form of an import, which may hold the parameters of the address as fields; a stream reads it, and this class describes it. */
export class ReportUpload {
  @StringField({
    format: 'binary',
    description: 'A report: SARIF 2.1.0, OWASP ZAP JSON or XML, or Nuclei JSONL or JSON; also gzipped',
  })
  file: string;
  @StringField({ optional: true, maxLength: 500, description: 'As in the address; so is any other parameter' })
  asset?: string;
}
