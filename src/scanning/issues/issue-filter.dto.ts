import {
  BooleanField,
  DateTimeField,
  EnumField,
  EnumListField,
  IntegerField,
  NumberField,
  ListField,
  StringField,
  UuidListField,
} from '../../platform/validation/fields.js';
import { SinceField, TotalField, UntilField } from '../counted-lists.js';
import {
  issueCategories,
  type IssueCategory,
  issueSeverities,
  type IssueSeverity,
  type IssueStatus,
  issueStatuses,
} from '../vocabulary.js';

const rule = { kind: 'string', minLength: 1, maxLength: 500 } as const;
const identifier = { kind: 'string', minLength: 1, maxLength: 500 } as const;
/** The most rules, or identifiers, that a list may ask for. */
const maxNamed = 50;

/** What a list asks of its issues; bulk changes, exports, saved views and workflows ask the same. */
export class IssueConditions {
  @EnumListField(issueSeverities, { optional: true })
  severities?: IssueSeverity[];
  @EnumListField(issueCategories, { optional: true })
  categories?: IssueCategory[];
  @EnumListField(issueStatuses, { optional: true })
  statuses?: IssueStatus[];
  @UuidListField({ optional: true })
  assetIds?: string[];
  @StringField({
    optional: true,
    minLength: 1,
    maxLength: 255,
    example: '*',
    description:
      'Issues that the branch of this name has; * for all. By default those that the default branch has or had, and ' +
      'those of scans without a branch; with scanIds, whatever these scans found',
  })
  branch?: string;
  @UuidListField({ optional: true, description: 'Issues that any of these scans found' })
  scanIds?: string[];
  @UuidListField({ optional: true, description: 'Issues that a scan of any of these profiles found' })
  profileIds?: string[];
  @UuidListField({ optional: true, description: 'Issues of assets that bear any of these tags' })
  tagIds?: string[];
  @ListField(rule, {
    optional: true,
    maxItems: maxNamed,
    description: 'Issues of any of these rules, by the `securityTestUid`',
    example: ['sql-injection'],
  })
  rule?: string[];
  @ListField(identifier, {
    optional: true,
    maxItems: maxNamed,
    description: 'Issues with any of these identifiers, ignoring case',
    example: ['CVE-2021-44228'],
  })
  identifier?: string[];
  @StringField({
    optional: true,
    maxLength: 200,
    description: 'Text to find in the name of the asset, ignoring case',
    example: 'Storefront',
  })
  assetName?: string;
  @StringField({
    optional: true,
    maxLength: 36,
    pattern: /^(me|none|[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})$/,
    patternHint: 'the id of a user, me, or none',
    description: 'The id of a user, `me`, or `none` for issues that nobody is assigned to',
    example: 'me',
  })
  assignee?: string;
  @BooleanField({
    optional: true,
    description: 'Whether it is past its due date, and OPEN or in MANUAL_REVIEW',
  })
  overdue?: boolean;
  @DateTimeField({ optional: true, description: 'Due before this time' })
  dueUntil?: string;
  @StringField({
    optional: true,
    maxLength: 200,
    description: 'The tool that found it last, by its name',
    example: 'semgrep',
  })
  tool?: string;
  @DateTimeField({ optional: true, description: 'First seen at this time or later' })
  firstSeenSince?: string;
  @DateTimeField({ optional: true, description: 'First seen before this time' })
  firstSeenUntil?: string;
  @DateTimeField({ optional: true, description: 'Last seen at this time or later' })
  lastSeenSince?: string;
  @DateTimeField({ optional: true, description: 'Last seen before this time' })
  lastSeenUntil?: string;
  @BooleanField({ optional: true, description: 'Whether one of its CVEs is known to be exploited (KEV)' })
  kev?: boolean;
  @NumberField({ optional: true, min: 0, max: 1, description: 'The least EPSS, from 0 to 1', example: 0.1 })
  minEpss?: number;
  // Unspecified: a longest search text. Longer ones match nothing that is stored.
  @StringField({ optional: true, maxLength: 200, description: 'Text to find, ignoring case', example: 'injection' })
  search?: string;
  @SinceField()
  since?: string;
  @UntilField()
  until?: string;
}

export const issueSorts = ['created', 'severity', 'last-seen', 'due', 'epss'] as const;
export type IssueSort = (typeof issueSorts)[number];

export class IssueFilter extends IssueConditions {
  @EnumField(issueSorts, {
    default: 'created',
    description:
      'The order: newest first, most severe first, last seen first, due first (those that have no due date at the ' +
      'end), or most probably exploited first (EPSS)',
  })
  sort: IssueSort;
  @IntegerField({ min: 1, max: 100, default: 50, description: 'The maximum number of entries' })
  size: number;
  @StringField({ optional: true, maxLength: 200, description: 'The nextCursor of the previous page' })
  cursor?: string;
  @TotalField()
  total: boolean;
}
