import {
  ArrayField,
  DateTimeField,
  EnumField,
  IntegerField,
  NumberField,
  ObjectField,
  StringField,
} from '../../platform/validation/fields.js';
import { IssuesBySeverity } from '../issues-by-severity.js';
import { type IssueSeverity, issueSeverities } from '../vocabulary.js';
import { IssueConditions } from './issue-filter.dto.js';

export const groupings = ['rule', 'asset', 'severity'] as const;
export type Grouping = (typeof groupings)[number];

export class IssueGroupFilter extends IssueConditions {
  @EnumField(groupings, { example: 'rule' })
  by: Grouping;
  @IntegerField({ min: 1, max: 100, default: 50, description: 'The maximum number of groups' })
  size: number;
}

export class IssueGroup {
  @StringField({
    description:
      'The rule, the id of the asset, or the severity: the list takes it as `rule`, `assetIds`, `severities`',
    example: 'sql-injection',
  })
  key: string;
  @StringField({ description: 'A name for people', example: 'SQL injection' })
  name: string;
  @IntegerField({ min: 1 })
  count: number;
  @IntegerField({ min: 0, description: 'Those of them that are OPEN' })
  open: number;
  @ObjectField(() => IssuesBySeverity)
  bySeverity: IssuesBySeverity;
}

export class IssueGroups {
  @ArrayField(() => IssueGroup, { description: 'The largest first; severities from the most severe on' })
  data: IssueGroup[];
  @IntegerField({ min: 0, description: 'All groups, also those beyond `size`' })
  groups: number;
  @IntegerField({ min: 0, description: 'The issues of all groups' })
  total: number;
}

// Unspecified: the weeks that one response covers.
const maxWeeks = 53;

export class IssueMetricsFilter extends IssueConditions {
  @IntegerField({ min: 1, max: maxWeeks, default: 13, description: 'How many weeks, this one included' })
  weeks: number;
}

/** How long fixes took, in days: from when an issue last became OPEN until it was RESOLVED. */
export class TimeToFix {
  @EnumField(issueSeverities)
  severity: IssueSeverity;
  @IntegerField({ min: 0, description: 'The fixes of these weeks' })
  fixed: number;
  @NumberField({ nullable: true, description: 'Half of them took at most so many days', example: 4.5 })
  medianDays: number | null;
  @NumberField({ nullable: true, description: 'Nine of ten took at most so many days', example: 21 })
  ninetiethDays: number | null;
}

/** The issues that wait for somebody: OPEN ones and those in MANUAL_REVIEW. */
export class WaitingIssues {
  @EnumField(issueSeverities)
  severity: IssueSeverity;
  @IntegerField({ min: 0 })
  open: number;
  @IntegerField({ min: 0, description: 'Those past their due date' })
  overdue: number;
  @IntegerField({ min: 0, description: 'First seen in the last 7 days' })
  upTo7Days: number;
  @IntegerField({ min: 0, description: 'First seen 7 to 30 days ago' })
  upTo30Days: number;
  @IntegerField({ min: 0, description: 'First seen 30 to 90 days ago' })
  upTo90Days: number;
  @IntegerField({ min: 0, description: 'First seen longer ago' })
  older: number;
}

export class IssuesOfWeek {
  @DateTimeField({ description: 'The beginning of the week, Monday in UTC' })
  at: Date;
  @IntegerField({ min: 0, description: 'Issues that became OPEN, for the first time or again' })
  opened: number;
  @IntegerField({ min: 0, description: 'Issues that were OPEN or in MANUAL_REVIEW and no longer wait for anybody' })
  closed: number;
}

/** How an organization does with its issues. */
export class IssueMetrics {
  @ArrayField(() => TimeToFix, { maxItems: issueSeverities.length, description: 'One for each severity' })
  timeToFix: TimeToFix[];
  @ArrayField(() => WaitingIssues, { maxItems: issueSeverities.length, description: 'One for each severity' })
  waiting: WaitingIssues[];
  @ArrayField(() => IssuesOfWeek, { maxItems: maxWeeks, description: 'Oldest first' })
  weeks: IssuesOfWeek[];
}
