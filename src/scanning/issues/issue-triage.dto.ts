import { ArrayField, EnumField, StringField, UuidField, UuidListField } from '../../platform/validation/fields.js';
import { issueSeverities, type IssueSeverity, type IssueStatus, issueStatuses } from '../vocabulary.js';

/** A change of an issue. Omitted fields stay as they are. */
export class IssueUpdate {
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
}

// Unspecified: how many issues one request may change.
const maxIssues = 500;

/** A change of many issues. */
export class IssuesUpdate extends IssueUpdate {
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
