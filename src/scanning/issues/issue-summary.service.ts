import { Injectable } from '@nestjs/common';
import { inSteps, stepsOf, type TimeWindow } from '../../common/http/time-steps.js';
import { issueCategories, issueSeverities, issueStatuses } from '../vocabulary.js';
import { type IssueCount, IssueSummaryRepository } from './issue-summary.repository.js';
import type { IssuesSummary } from './issue-summary.shapes.js';

// Unspecified: how many days one response covers. More than a year, so that a chart can compare.
const maxDays = 400;

/** Counts the issues of an organization. */
@Injectable()
export class IssueSummaryService {
  constructor(private readonly repository: IssueSummaryRepository) {}

  /** The counts, all from one snapshot. `Invalid` for more than 400 days, and where `from` is not before `to`. */
  async summary(organizationId: string, window: TimeWindow): Promise<IssuesSummary> {
    const steps = stepsOf(window, 'day', maxDays);
    const { counts, created, resolved } = await this.repository.figures(organizationId, steps);
    const days = inSteps(
      steps,
      [
        ...created.map(({ step, count }) => ({ step, created: count, resolved: 0 })),
        ...resolved.map(({ step, count }) => ({ step, created: 0, resolved: count })),
      ],
      (at, rows) => ({
        at,
        created: rows.reduce((sum, row) => sum + row.created, 0),
        resolved: rows.reduce((sum, row) => sum + row.resolved, 0),
      }),
    );
    return {
      total: counts.reduce((sum, { count }) => sum + count, 0),
      bySeverity: sums(issueSeverities, counts, ({ severity }) => severity),
      openBySeverity: sums(
        issueSeverities,
        counts.filter(({ status }) => status === 'OPEN'),
        ({ severity }) => severity,
      ),
      byStatus: sums(issueStatuses, counts, ({ status }) => status),
      byCategory: sums(issueCategories, counts, ({ category }) => category),
      from: steps.from,
      to: steps.to,
      days,
    };
  }
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
