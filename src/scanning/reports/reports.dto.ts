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
    description: 'Which of the findings it is, from 0, in the order of the report; null for the report itself',
  })
  index: number | null;
  @StringField({ description: 'Why nothing was made of it, or what of it was cut', example: 'The result is no object' })
  reason: string;
}

/** A part of findings, or of rules, that is not kept. */
export class NotKept {
  @StringField({ example: 'results[].graphs' })
  part: string;
  @IntegerField({ description: 'How many findings, or rules, have it', example: 3 })
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
  @StringField({ nullable: true, description: 'Why it did not run, or not to its end; null where it did' })
  notRun: string | null;
  @StringField({ nullable: true, description: 'Why nothing of it counts as gone; null where that is known' })
  goneUnknown: string | null;
  @IntegerField({ description: 'How many open issues of it are gone' })
  gone: number;
  @BooleanField({
    description: 'Whether no whole report of it, of this category and branch, was of these assets before',
  })
  first: boolean;
  @ListField(
    { kind: 'string' },
    {
      description:
        'The branches by which `unmerged` is told, where it has reports of them: the default ones, else all others',
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
  @IntegerField({ nullable: true, description: 'The line there', example: 29 })
  line: number | null;
  @StringField({ nullable: true, description: 'What the tool says of it: the first 1,000 characters' })
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
    description: 'The id of the scan in the answer of the import; of the first one, where there are several',
    example: demo('scan'),
  })
  id: string;
}

export class ImportPaging {
  @StringField({ optional: true, maxLength: 20, description: 'The nextCursor of the page before' })
  cursor?: string;
}

export class ImportResult {
  @ObjectField(() => ResourceScan, { description: 'That of the first tool; `tools` names all' })
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
      example: ['asset://code-project/code.example.com/acme/shop'],
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
  @BooleanField({ description: 'Whether all issues are listed by GET imports/{id}/issues' })
  listed: boolean;
  @IntegerField({ description: 'How many issues were resolved since they are gone' })
  resolved: number;
  @StringField({
    nullable: true,
    description: 'Why nothing, or not all, counts as gone, where the report is not whole',
  })
  goneUnknown: string | null;
  @StringField({
    nullable: true,
    description:
      'Why a tool did not run, or not to its end, as the report says; null where all did. No gate should pass then',
  })
  notRun: string | null;
  @ArrayField(() => ToolOutcome, { description: 'What became of each tool of the report: one scan each' })
  tools: ToolOutcome[];
  @ArrayField(() => NotKept, { description: 'What the findings and rules say that is not kept: the first 200 parts' })
  notKept: NotKept[];
  @ListField(
    { kind: 'string' },
    {
      description:
        'Paths that lie below no known root, and are new on every other machine: the first 100. Name the checkout by root',
      example: ['/home/ci/w1/app/src/a.js'],
    },
  )
  absolutePaths: string[];
  @IntegerField({ description: 'How many findings are at such paths' })
  absolutePathCount: number;
}
