import { ArrayField, DateTimeField, IntegerField, ObjectField } from '../../platform/validation/fields.js';
import { IssuesBySeverity } from '../issues-by-severity.js';
import {
  issueCategories,
  type IssueCategory,
  type IssueSeverity,
  type IssueStatus,
  issueStatuses,
} from '../vocabulary.js';

/** The number of issues in each status. */
export class IssuesByStatus {}
/** The number of issues of each category. */
export class IssuesByCategory {}

/** Adds a count to a schema for each of the values. */
function count(schema: { prototype: object }, values: readonly string[]): void {
  for (const value of values) IntegerField({ min: 0 })(schema.prototype, value);
}
count(IssuesByStatus, issueStatuses);
count(IssuesByCategory, issueCategories);

/** The changes of a day. */
export class IssuesOfDay {
  @DateTimeField({ description: 'The beginning of the day, in UTC' })
  at: Date;
  @IntegerField({ min: 0, description: 'Issues found for the first time' })
  created: number;
  @IntegerField({ min: 0, description: 'Changes to RESOLVED; an issue that came back may be resolved more than once' })
  resolved: number;
  @ObjectField(() => IssuesBySeverity, {
    description:
      'Issues that were OPEN at the end of the day, by their severity at that time; for today and later, those ' +
      'that are OPEN now',
  })
  open: Record<IssueSeverity, number>;
}

/** The issues of an organization in figures. */
export class IssuesSummary {
  @IntegerField({ min: 0 })
  total: number;
  @ObjectField(() => IssuesBySeverity)
  bySeverity: Record<IssueSeverity, number>;
  @ObjectField(() => IssuesBySeverity, { description: 'Of the issues that are OPEN' })
  openBySeverity: Record<IssueSeverity, number>;
  @ObjectField(() => IssuesByStatus)
  byStatus: Record<IssueStatus, number>;
  @ObjectField(() => IssuesByCategory)
  byCategory: Record<IssueCategory, number>;
  @DateTimeField({ description: 'The beginning of the first day' })
  from: Date;
  @DateTimeField({ description: 'The end of the last day' })
  to: Date;
  @ArrayField(() => IssuesOfDay, { description: 'Every day from `from` to `to`, oldest first' })
  days: IssuesOfDay[];
}
