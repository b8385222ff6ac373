import {
  ArrayField,
  BooleanField,
  EnumField,
  IntegerField,
  ObjectField,
  StringField,
  UuidField,
} from '../../platform/validation/fields.js';
import { issueSeverities, type IssueSeverity, type IssueStatus, issueStatuses } from '../vocabulary.js';
import { IssueConditions } from './issue-filter.dto.js';
import { IssueChanges } from './issue-triage.dto.js';
import { type ActivityKind, activityKinds } from './issues.dto.js';

// Unspecified: how many issues one request changes at most. A caller repeats it while `remaining` is more than 0.
export const mostAtOnce = 10_000;
/** How many issues an answer shows. */
export const shownIssues = 20;

/** A change of all issues that match a filter. */
export class IssueBulkChange {
  @ObjectField(() => IssueConditions, { description: 'As of the list of issues' })
  filter: IssueConditions;
  @ObjectField(() => IssueChanges, { description: 'At least one field beside the comment' })
  changes: IssueChanges;
  @IntegerField({
    optional: true,
    min: 0,
    max: 2_147_483_647,
    description: 'How many issues the caller expects to match; if others do, nothing is changed',
  })
  expectedCount?: number;
  @BooleanField({ default: false, description: 'Whether only to say what would change' })
  dryRun: boolean;
}

export class IssueBulkMove {
  @EnumField(activityKinds)
  kind: ActivityKind;
  @StringField({ nullable: true })
  from: string | null;
  @StringField({ nullable: true })
  to: string | null;
}

/** An issue that would change. */
export class IssueBulkExample {
  @UuidField()
  id: string;
  @StringField({ example: 'SQL injection' })
  name: string;
  @EnumField(issueSeverities)
  severity: IssueSeverity;
  @EnumField(issueStatuses)
  status: IssueStatus;
  @StringField({ example: 'Storefront API' })
  assetName: string;
  @ArrayField(() => IssueBulkMove, { maxItems: activityKinds.length })
  changes: IssueBulkMove[];
}

export class IssueBulkResult {
  @BooleanField()
  dryRun: boolean;
  @IntegerField({ min: 0, description: 'The issues that match the filter' })
  matching: number;
  @IntegerField({ min: 0, description: 'Those of them that do not have these values yet' })
  changing: number;
  @IntegerField({ min: 0, max: mostAtOnce, description: 'Those that this request changed; 0 with dryRun' })
  changed: number;
  @IntegerField({
    min: 0,
    description: `Those that are left, since there are more than ${mostAtOnce} or an import has them: send the request again`,
  })
  remaining: number;
  @ArrayField(() => IssueBulkExample, {
    maxItems: shownIssues,
    description: `With dryRun, the first ${shownIssues} that would change`,
  })
  first: IssueBulkExample[];
}
