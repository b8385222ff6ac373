import { BooleanField, DateTimeField, EnumField, StringField, UuidField } from '../../platform/validation/fields.js';
import { type ScanKind, scanKinds } from '../vocabulary.js';
import { type ReportFormat, reportFormats } from './report-finding.js';
import { maxMapping } from './report-mapping.js';

export class ImportQuery {
  @EnumField(reportFormats, {
    optional: true,
    description: 'By default detected from the content; only a Nuclei report may be empty: see allowEmpty',
  })
  format?: ReportFormat;
  @StringField({
    optional: true,
    minLength: 2,
    maxLength: maxMapping,
    description:
      'How a JSON report without a reader of its own is read (format mapped-json): a JSON object with the path of the ' +
      'list (findings) and the paths of fields within an element: name, rule, severity (severities maps its values), ' +
      'path, line, url, identifiers, description, fix and others. docs/scans.md has an example',
  })
  mapping?: string;
  @StringField({
    optional: true,
    minLength: 1,
    maxLength: 500,
    example: 'https://code.example.com/acme/shop',
    description:
      'The asset of all findings: its name or uri, or the address of a repository, site or host. It is created if ' +
      'necessary. By default, the asset that the report names',
  })
  asset?: string;
  @StringField({
    optional: true,
    minLength: 1,
    maxLength: 500,
    description:
      'The repository of findings for which the report names none; the client sends the repository of its pipeline',
  })
  repository?: string;
  @StringField({
    optional: true,
    minLength: 1,
    maxLength: 1_000,
    example: '/home/ci/w1/app',
    description:
      'The folder of the checkout in which the tool ran: paths below it become relative, so that a finding is the ' +
      'same on every machine. originalUriBaseIds and workingDirectory of SARIF are used as well',
  })
  root?: string;
  @UuidField({
    optional: true,
    description: 'The profile of the scan; by default one named after the tool, which is created if necessary',
  })
  profileId?: string;
  @EnumField(scanKinds, {
    optional: true,
    description:
      'By default that of the format: FRONTEND_DAST for ZAP, ASM_WEBAPP for Nuclei, ASM_CODE_PROJECT for SARIF …',
  })
  kind?: ScanKind;
  @StringField({
    optional: true,
    minLength: 1,
    maxLength: 255,
    example: 'main',
    description:
      'The branch that was scanned. The reports of one tool, category, asset and branch form a series: a finding ' +
      'of an earlier one that this one lacks is gone',
  })
  branch?: string;
  @StringField({
    optional: true,
    minLength: 1,
    maxLength: 255,
    description:
      'The branch that others are merged into, from now on; by default the last one that was named, else main, ' +
      'master or trunk. It decides the status of issues; what only other branches have is in lists and counts ' +
      'only if one asks for them',
  })
  defaultBranch?: string;
  @StringField({
    optional: true,
    minLength: 1,
    maxLength: 100,
    description: 'The commit that was scanned',
  })
  commit?: string;
  @DateTimeField({
    optional: true,
    description:
      'The time of the commit. The report of an older commit that arrives after that of a newer one, such as that of ' +
      'a pipeline that was started again, then changes nothing: it says no more what is there',
  })
  committedAt?: string;
  @StringField({
    optional: true,
    minLength: 1,
    maxLength: 255,
    example: '128',
    description: 'The number or key of the pull request: what only pull requests have is not in the default lists',
  })
  pullRequest?: string;
  @StringField({
    optional: true,
    minLength: 1,
    maxLength: 500,
    example: 'front',
    description:
      'Separates several runs of one tool on an asset and branch, such as those over parts of a repository: each ' +
      'category is a series of its own. By default, the part of the SARIF automation id (automationDetails.id) ' +
      'before the last slash',
  })
  category?: string;
  @BooleanField({
    default: false,
    description: 'Resolves the issues that are gone, unless a part of the report could not be read',
  })
  resolveGone: boolean;
  @BooleanField({
    default: false,
    description:
      'Keeps the whole list of issues for a day, also of a dry run: GET imports/{id}/issues, by the id of the scan',
  })
  list: boolean;
  @BooleanField({
    default: false,
    description:
      'Treats an empty report as a clean scan: Nuclei writes nothing when it finds nothing. Otherwise an empty ' +
      'report resolves nothing, since a tool that did not run writes nothing either',
  })
  allowEmpty: boolean;
  @BooleanField({
    default: false,
    description:
      'Imports nothing, but returns the same; the new scans and issues in the response do not exist afterwards',
  })
  dryRun: boolean;
}

/** The form of an import, which may hold the parameters of the address as fields; a stream reads it, and this class describes it. */
export class ReportUpload {
  @StringField({
    format: 'binary',
    description: 'A report in any of the formats, also gzipped',
  })
  file: string;
  @StringField({ optional: true, maxLength: 500, description: 'As in the address, like any other parameter' })
  asset?: string;
}
