import {
  ArrayField,
  BooleanField,
  EnumField,
  IntegerField,
  ListField,
  ObjectField,
  StringField,
  UuidField,
  UuidListField,
} from '../../common/validation/fields.js';
import { ResourceScan } from '../scans/scans.shapes.js';
import { type IssueSeverity, issueSeverities, type ScanKind, scanKinds } from '../vocabulary.js';
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
  @StringField({
    optional: true,
    minLength: 1,
    maxLength: 500,
    description: 'The repository of what the report does not say; the client sends that of the pipeline it runs in',
  })
  repository?: string;
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
    description: 'Imports nothing and answers the same; no scan or issue of the answer that is new exists afterwards',
  })
  dryRun: boolean;
}

/** The form of an import; a stream reads it, and this class describes it. */
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

export class SeverityCounts implements Record<IssueSeverity, number> {
  @IntegerField()
  CRITICAL: number;
  @IntegerField({ example: 1 })
  HIGH: number;
  @IntegerField()
  MEDIUM: number;
  @IntegerField()
  LOW: number;
  @IntegerField()
  INFO: number;
}

/** The outcome of an import for an issue: new, known, open again, or gone. */
export const importOutcomes = ['CREATED', 'SEEN', 'REOPENED', 'GONE'] as const;
export type ImportOutcome = (typeof importOutcomes)[number];

export class OutcomesBySeverity {
  @ObjectField(() => SeverityCounts)
  created: SeverityCounts;
  @ObjectField(() => SeverityCounts)
  seen: SeverityCounts;
  @ObjectField(() => SeverityCounts, {
    description:
      'Those of the seen that are new to the branch all the same: the newest report of the default branch lacks them (of any ' +
      'other, where that has none)',
  })
  unmerged: SeverityCounts;
  @ObjectField(() => SeverityCounts)
  reopened: SeverityCounts;
  @ObjectField(() => SeverityCounts)
  gone: SeverityCounts;
  @ObjectField(() => SeverityCounts, {
    description:
      'Those that the report has and that are set aside, by people or since the tool suppresses them: in no other of these counts',
  })
  setAside: SeverityCounts;
}

export class RuleOutcomes {
  @StringField({ example: 'sql-injection' })
  rule: string;
  @EnumField(issueSeverities)
  severity: IssueSeverity;
  @IntegerField({ example: 1 })
  created: number;
  @IntegerField()
  seen: number;
  @IntegerField()
  unmerged: number;
  @IntegerField()
  reopened: number;
  @IntegerField()
  gone: number;
}

export class ImportedIssue {
  @UuidField()
  id: string;
  @EnumField(importOutcomes)
  outcome: ImportOutcome;
  @BooleanField({ description: 'Whether it was seen before, and is new to the branch all the same' })
  unmerged: boolean;
  @EnumField(issueSeverities)
  severity: IssueSeverity;
  @StringField({ example: 'sql-injection' })
  rule: string;
  @StringField({ example: 'Query built from user input' })
  name: string;
  @StringField({ example: 'https://code.example.com/acme/shop' })
  assetName: string;
  @StringField({ nullable: true, description: 'The first place where it was found', example: 'src/orders.ts' })
  place: string | null;
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
  @IntegerField({ description: 'Findings that are new issues, those set aside in the code too', example: 1 })
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
  @BooleanField({ description: 'Whether nothing was imported' })
  dryRun: boolean;
  @ListField(
    { kind: 'string' },
    {
      description: 'What the report is of: the uris of its assets, the first 1,000',
      example: ['asset://code-project/https://code.example.com/acme/shop'],
    },
  )
  assetUris: string[];
  @StringField({ description: 'The tool that wrote the report', example: 'CodeLook' })
  tool: string;
  @StringField({ nullable: true, description: 'What parts its runs, of the query or else of the report' })
  category: string | null;
  @StringField({ nullable: true, example: 'main' })
  branch: string | null;
  @ObjectField(() => OutcomesBySeverity, {
    description:
      'The issues of this import that are open or under review, by what became of them and by their severity; `gone`: open ' +
      'ones that an earlier report of this tool, category, asset and branch had and this one lacks; `setAside`: the rest of it',
  })
  bySeverity: OutcomesBySeverity;
  @ArrayField(() => RuleOutcomes, { description: 'The same by rule: the most severe 1,000' })
  byRule: RuleOutcomes[];
  @UuidListField({ description: 'The issues that are new, those set aside in the code too: the first 1,000' })
  createdIds: string[];
  @ArrayField(() => ImportedIssue, {
    description:
      'The most severe 200 of what is new to the branch (created, reopened, unmerged), then of what else was seen, then of what ' +
      'is gone; and of each of the three the first 20 of every severity',
  })
  issues: ImportedIssue[];
  @IntegerField({ description: 'How many issues were resolved since they are gone' })
  resolved: number;
  @StringField({ nullable: true, description: 'Why nothing counts as gone, where the report is not whole' })
  goneUnknown: string | null;
}
