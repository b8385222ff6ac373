import {
  ArrayField,
  DateTimeField,
  EnumField,
  StringField,
  UuidField,
  UuidListField,
} from '../../platform/validation/fields.js';
import { issueSeverities, type IssueSeverity, type IssueStatus, issueStatuses } from '../vocabulary.js';

// Unspecified: how long a reason and the address of a ticket may be.
const maxReason = 2_000;
const maxUrl = 2_048;

/** A change of an issue. Omitted fields stay as they are. */
export class IssueChanges {
  @EnumField(issueStatuses, { optional: true, nullable: 'ignored', example: 'MANUAL_REVIEW' })
  status?: IssueStatus;
  @EnumField(issueSeverities, {
    optional: true,
    nullable: true,
    description: 'Stays, whatever later scans report. With null, the severity of the scanner counts again',
  })
  severity?: IssueSeverity | null;
  @StringField({
    optional: true,
    nullable: 'ignored',
    minLength: 1,
    maxLength: 10_000,
    example: 'Looks real: a second pair of eyes, please.',
  })
  comment?: string;
  @UuidField({ optional: true, nullable: true, description: 'A member of the organization; null for nobody' })
  assigneeId?: string | null;
  @DateTimeField({ optional: true, nullable: true, description: 'Until when it is to be fixed; null for no due date' })
  dueAt?: string | null;
  @DateTimeField({
    optional: true,
    nullable: true,
    description:
      'With the status IGNORED: until when the issue is accepted. Then it becomes OPEN again. Null takes the end away',
  })
  acceptedUntil?: string | null;
  @StringField({
    optional: true,
    nullable: true,
    minLength: 1,
    maxLength: maxReason,
    description: 'With the status IGNORED: why the issue is accepted; otherwise the comment is the reason',
  })
  acceptedReason?: string | null;
  @StringField({
    optional: true,
    nullable: true,
    maxLength: maxUrl,
    pattern: /^https?:\/\/[^\s/?#]\S*$/i,
    patternHint: 'Input should be an address that begins with https:// or http://',
    description: 'The address of a ticket, for example; null for none',
  })
  externalUrl?: string | null;
}

export class IssueUpdate extends IssueChanges {}

// Unspecified: how many issues one request may change.
const maxIssues = 500;

/** A change of many issues. */
export class IssuesUpdate extends IssueChanges {
  @UuidListField({ minItems: 1, maxItems: maxIssues, description: 'An id that appears twice is changed once' })
  ids: string[];
}

export const updateOutcomes = ['updated', 'unchanged', 'not_found'] as const;
export type UpdateOutcome = (typeof updateOutcomes)[number];

/** The outcome for one issue. */
export class IssueUpdateResult {
  @UuidField()
  id: string;
  @EnumField(updateOutcomes, {
    description: 'unchanged: it already had these values. not_found: the organization has no such issue',
  })
  status: UpdateOutcome;
}

export class IssuesUpdateResult {
  @ArrayField(() => IssueUpdateResult, { description: 'In the order of the request, each issue once' })
  results: IssueUpdateResult[];
}
