import { demo } from '../../platform/openapi/demo-values.js';
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
} from '../../platform/validation/fields.js';
import { ResourceScan } from '../scans/scans.dto.js';
import { type IssueSeverity, issueSeverities } from '../vocabulary.js';

export class NamedFinding {
  @IntegerField({
    nullable: true,
    description: 'The index of the finding, from 0, in the order of the report; null for the report itself',
  })
  index: number | null;
  @StringField({
    description: 'Why it was skipped, or what was cut',
    example: 'The result is not an object',
  })
  reason: string;
}

/** A part of findings, or of rules, that is not kept. */
export class NotKept {
  @StringField({ example: 'results[].graphs' })
  part: string;
  @IntegerField({ description: 'The number of findings or rules that have it', example: 3 })
  findings: number;
}

/** What became of a tool's part of a report. */
export class ToolOutcome {
  @StringField({ example: 'CodeLook' })
  tool: string;
  @StringField({ nullable: true })
  category: string | null;
  @UuidField({ description: 'Its scan' })
  scanId: string;
  @StringField({ nullable: true, description: 'Why it did not run or finish; null if it did' })
  notRun: string | null;
  @StringField({ nullable: true, description: 'Why none of its issues counts as gone; null if that is known' })
  goneUnknown: string | null;
  @IntegerField({ description: 'The number of its open issues that are gone' })
  gone: number;
  @BooleanField({
    description: 'Whether this is its first complete report of this category and branch about these assets',
  })
  first: boolean;
  @ListField(
    { kind: 'string' },
    {
      description:
        'The branches that `unmerged` compares with: the default ones if there are reports of them, else all others',
      example: ['main'],
    },
  )
  comparedWith: string[];
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
      'Seen issues that are nevertheless new to the branch: the newest report of the default branch lacks them (or ' +
      'of any other branch, if the default one has no report)',
  })
  unmerged: SeverityCounts;
  @ObjectField(() => SeverityCounts)
  reopened: SeverityCounts;
  @ObjectField(() => SeverityCounts)
  gone: SeverityCounts;
  @ObjectField(() => SeverityCounts, {
    description:
      'Issues in the report that are set aside, by people or because the tool suppresses them; no other count ' +
      'includes them',
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
  @BooleanField({ description: 'Whether it was seen before, but is new to the branch' })
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
  @IntegerField({ nullable: true, description: 'The line there', example: 29 })
  line: number | null;
  @StringField({ nullable: true, description: 'The message of the tool: the first 1,000 characters' })
  message: string | null;
}

/** Some of the issues of an import. */
export class ImportedIssuePage {
  @ArrayField(() => ImportedIssue)
  data: ImportedIssue[];
  @StringField({ nullable: true })
  nextCursor: string | null;
}

export class ImportPath {
  @UuidField({
    description: 'The id of the scan in the response of the import; of the first one, if there are several',
    example: demo('scan'),
  })
  id: string;
}

export class ImportPaging {
  @StringField({ optional: true, maxLength: 20, description: 'The nextCursor of the previous page' })
  cursor?: string;
}

export class ImportResult {
  @ObjectField(() => ResourceScan, { description: 'The scan of the first tool; `tools` lists all' })
  scan: ResourceScan;
  @IntegerField({
    description:
      'The number of findings: SARIF results, ZAP alerts, Nuclei lines, vulnerabilities of each package …; the sum of ' +
      'created, seen and skipped',
    example: 2,
  })
  findings: number;
  @IntegerField({ description: 'Findings that are new issues, including those set aside in the code', example: 1 })
  created: number;
  @IntegerField({ description: 'Findings whose issue was known, or that repeat another finding of the report' })
  seen: number;
  @IntegerField({ description: 'Places where the issues were found, each counted once per issue' })
  targets: number;
  @IntegerField({ description: 'Events that were added to the scan' })
  events: number;
  @ArrayField(() => NamedFinding, { description: 'Skipped findings: the first 1,000' })
  skipped: NamedFinding[];
  @IntegerField({ description: 'The number of skipped findings' })
  skippedCount: number;
  @ArrayField(() => NamedFinding, {
    description: 'Findings that were too large, with what was cut: the first 1,000',
  })
  cut: NamedFinding[];
  @IntegerField({ description: 'The number of such findings' })
  cutCount: number;
  @BooleanField({ description: 'Whether nothing was imported' })
  dryRun: boolean;
  @ListField(
    { kind: 'string' },
    {
      description: 'The uris of the assets in the report: the first 1,000',
      example: ['asset://code-project/code.example.com/acme/shop'],
    },
  )
  assetUris: string[];
  @StringField({ description: 'The tool that wrote the report', example: 'CodeLook' })
  tool: string;
  @StringField({ nullable: true, description: 'The category, from the query or else from the report' })
  category: string | null;
  @StringField({ nullable: true, example: 'main' })
  branch: string | null;
  @ObjectField(() => OutcomesBySeverity, {
    description:
      'The issues of this import that are open or under review, by outcome and severity. `gone` counts open ones ' +
      'that an earlier report of this tool, category, asset and branch had and this one lacks; `setAside` counts ' +
      'all others',
  })
  bySeverity: OutcomesBySeverity;
  @ArrayField(() => RuleOutcomes, { description: 'The same by rule: the 1,000 most severe' })
  byRule: RuleOutcomes[];
  @UuidListField({ description: 'The new issues, including those set aside in the code: the first 1,000' })
  createdIds: string[];
  @ArrayField(() => ImportedIssue, {
    description:
      'The 200 most severe issues that are new to the branch (created, reopened, unmerged), then of the others ' +
      'that were seen, then of those that are gone; of each group also the first 20 of every severity',
  })
  issues: ImportedIssue[];
  @BooleanField({ description: 'Whether GET imports/{id}/issues lists all issues' })
  listed: boolean;
  @IntegerField({ description: 'The number of issues that were resolved because they are gone' })
  resolved: number;
  @StringField({
    nullable: true,
    description: 'Why none or not all of the missing issues count as gone, if the report is incomplete',
  })
  goneUnknown: string | null;
  @StringField({
    nullable: true,
    description: 'Why a tool did not run or finish, as the report says; null if all did. A gate should fail then',
  })
  notRun: string | null;
  @ArrayField(() => ToolOutcome, { description: 'The result of each tool of the report: one scan each' })
  tools: ToolOutcome[];
  @ArrayField(() => NotKept, { description: 'The parts of findings and rules that are not stored: the first 200' })
  notKept: NotKept[];
  @ListField(
    { kind: 'string' },
    {
      description:
        'Paths outside every known root, which differ on every machine: the first 100. Send the folder of the ' +
        'checkout as root',
      example: ['/home/ci/w1/app/src/a.js'],
    },
  )
  absolutePaths: string[];
  @IntegerField({ description: 'The number of findings at such paths' })
  absolutePathCount: number;
}
