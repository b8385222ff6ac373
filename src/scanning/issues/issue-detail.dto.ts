import {
  ArrayField,
  DateTimeField,
  EnumField,
  IntegerField,
  JsonField,
  ListField,
  ObjectField,
  StringField,
  UuidField,
} from '../../platform/validation/fields.js';
import { Exchange, Screenshot, Snippet } from '../scan-events/scan-event-append.dto.js';
import { type AttachmentType, attachmentTypes } from '../vocabulary.js';

export const identifierTypes = ['CWE', 'CVE', 'GHSA', 'WASC', 'CPE'] as const;
export type IdentifierType = (typeof identifierTypes)[number];

/** What the finding is in a list that others keep, too. */
export class IssueIdentifier {
  @EnumField(identifierTypes)
  type: IdentifierType;
  @StringField({ example: 'CWE-89' })
  value: string;
  @StringField({ nullable: true, example: 'https://cwe.mitre.org/data/definitions/89.html' })
  url: string | null;
}

/** The rule, template or test of the tool. */
export class IssueRule {
  @StringField({ example: 'sql-injection' })
  id: string;
  @StringField({ nullable: true, example: 'Query built from user input' })
  name: string | null;
  @StringField({ nullable: true })
  description: string | null;
  @StringField({ nullable: true, description: 'Explanation, as plain text or Markdown' })
  help: string | null;
  @StringField({ nullable: true, example: 'https://rules.example.com/sql-injection' })
  helpUri: string | null;
  @ListField(
    { kind: 'string' },
    { description: 'Addresses with more information', example: ['https://cwe.mitre.org/data/definitions/89.html'] },
  )
  references: string[];
  @ListField({ kind: 'string' }, { example: ['security', 'external/cwe/cwe-089'] })
  tags: string[];
  @JsonField({
    nullable: true,
    bounds: 'none',
    description: 'Further properties of the rule, as the tool reports them',
  })
  properties: Record<string, unknown> | null;
}

/** A place in a file or at an address, with what is said of it. */
export class IssuePlace {
  @StringField({ nullable: true, description: 'Relative to the root of the repository', example: 'src/search.ts' })
  path: string | null;
  @StringField({
    nullable: true,
    description: "The URL of a page, or of the line at the code host, where the asset's `sourceUrl` leads to it",
    example: 'https://github.com/acme/shop/blob/HEAD/src/search.ts#L42',
  })
  url: string | null;
  @IntegerField({ nullable: true, example: 42 })
  startLine: number | null;
  @IntegerField({ nullable: true })
  endLine: number | null;
  @IntegerField({ nullable: true })
  startColumn: number | null;
  @IntegerField({ nullable: true })
  endColumn: number | null;
  @StringField({ nullable: true, description: 'The function or type there' })
  name: string | null;
  @StringField({ nullable: true })
  message: string | null;
  @StringField({ nullable: true, description: 'The code there' })
  snippet: string | null;
  @StringField({ nullable: true, description: 'The code around it' })
  context: string | null;
}

/** Evidence in steps: how a value flows, where the tool stood, or related places. */
export const stepTypes = ['FLOW', 'STACK', 'RELATED'] as const;
export type StepType = (typeof stepTypes)[number];

/** What shows the finding: an attachment of its newest event, or steps in the newest report. */
export class IssueEvidence {
  @EnumField([...attachmentTypes, ...stepTypes])
  type: AttachmentType | StepType;
  @StringField({ nullable: true, description: 'Of steps: what the tool says of them' })
  message: string | null;
  @ArrayField(() => IssuePlace, { description: 'In order; empty for an attachment' })
  steps: IssuePlace[];
  @ObjectField(() => Snippet, { nullable: true, description: 'Of type SNIPPET' })
  snippet: Snippet | null;
  @ObjectField(() => Exchange, { nullable: true, description: 'Of type EXCHANGE' })
  exchange: Exchange | null;
  @ObjectField(() => Screenshot, { nullable: true, description: 'Of type SCREENSHOT' })
  screenshot: Screenshot | null;
  @UuidField({ nullable: true, description: 'The event that has the attachment' })
  eventId: string | null;
  @DateTimeField({ nullable: true, description: 'When that event happened' })
  createdAt: Date | null;
}

export class IssueFixChange {
  @StringField({ nullable: true, example: 'src/search.ts' })
  path: string | null;
  @IntegerField({ nullable: true })
  startLine: number | null;
  @IntegerField({ nullable: true })
  endLine: number | null;
  @IntegerField({ nullable: true })
  startColumn: number | null;
  @IntegerField({ nullable: true })
  endColumn: number | null;
  @StringField({ nullable: true, description: 'The text to insert; null for a deletion' })
  inserted: string | null;
}

/** The fixes that the tool proposes. */
export class IssueFix {
  @StringField({ nullable: true })
  description: string | null;
  @ArrayField(() => IssueFixChange)
  changes: IssueFixChange[];
}

/** A suppression, as the tool reports it. */
export class IssueSuppression {
  @StringField({ nullable: true, example: 'inSource' })
  kind: string | null;
  @StringField({ nullable: true, example: 'accepted' })
  status: string | null;
  @StringField({ nullable: true })
  justification: string | null;
}
