import { Injectable } from '@nestjs/common';
import { inBuckets, bucketsOf, type TimeWindow } from '../../platform/http/time-buckets.js';
import { bySeverity, type IssuesBySeverity, type SeverityCount } from '../issues-by-severity.js';
import { issueCategories, issueStatuses } from '../vocabulary.js';
import { type IssueCount, IssueSummaryRepository, type OpenChange } from './issue-summary.repository.js';
import type { IssuesSummary } from './issue-summary.dto.js';

// Unspecified: how many days one response covers. More than a year, so that a chart can compare.
const maxDays = 400;

/** Counts the issues of an organization. */
@Injectable()
export class IssueSummaryService {
  constructor(private readonly repository: IssueSummaryRepository) {}

  /** The counts, all from one snapshot. `Invalid` for more than 400 days, and where `from` is not before `to`. */
  async summary(organizationId: string, window: TimeWindow): Promise<IssuesSummary> {
    const steps = bucketsOf(window, 'day', maxDays);
    const { counts, created, resolved, opened } = await this.repository.figures(organizationId, steps);
    const present = counts.filter(({ status }) => status === 'OPEN');
    const openBySeverity = bySeverity(present);
    const open = openAtEnds(steps.starts.length, present, opened);
    const days = inBuckets(
      steps,
      [
        ...created.map(({ step, count }) => ({ step, created: count, resolved: 0 })),
        ...resolved.map(({ step, count }) => ({ step, created: 0, resolved: count })),
      ],
      (at, rows, number) => ({
        at,
        created: rows.reduce((sum, row) => sum + row.created, 0),
        resolved: rows.reduce((sum, row) => sum + row.resolved, 0),
        open: open[number] ?? openBySeverity,
      }),
    );
    return {
      total: counts.reduce((sum, { count }) => sum + count, 0),
      bySeverity: bySeverity(counts),
      openBySeverity,
      byStatus: sums(issueStatuses, counts, ({ status }) => status),
      byCategory: sums(issueCategories, counts, ({ category }) => category),
      from: steps.from,
      to: steps.to,
      days,
    };
  }
}

/** The open issues at the end of each of so many days: the present ones, without all later changes. */
function openAtEnds(days: number, present: SeverityCount[], opened: OpenChange[]): IssuesBySeverity[] {
  return Array.from({ length: days }, (_, index) => {
    const later = opened.filter(({ step }) => step > index + 1);
    return bySeverity([...present, ...later.map(({ severity, count }) => ({ severity, count: -count }))]);
  });
}

/** The counts of each value, zeros included. */
function sums<Value extends string>(
  values: readonly Value[],
  counts: IssueCount[],
  valueOf: (count: IssueCount) => Value,
): Record<Value, number> {
  const result = Object.fromEntries(values.map((value) => [value, 0])) as Record<Value, number>;
  for (const one of counts) result[valueOf(one)] += one.count;
  return result;
}
