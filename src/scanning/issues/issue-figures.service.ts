import { Injectable } from '@nestjs/common';
import type { OrganizationCaller } from '../../platform/auth/organization-caller.js';
import { bucketsOf, inBuckets } from '../../platform/http/time-buckets.js';
import { issueSeverities } from '../vocabulary.js';
import { IssueFiguresRepository } from './issue-figures.repository.js';
import type { IssueGroupFilter, IssueGroups, IssueMetrics, IssueMetricsFilter } from './issue-figures.dto.js';
import { filtersOf } from './issue-filters.statements.js';

const weekMs = 7 * 86_400_000;

/** Counts the issues that match a filter, in groups and over time. */
@Injectable()
export class IssueFiguresService {
  constructor(private readonly repository: IssueFiguresRepository) {}

  /** The largest groups of the issues that match; throws as `Searches` does. */
  async groups(
    { organizationId, userId }: OrganizationCaller,
    { by, size, ...conditions }: IssueGroupFilter,
  ): Promise<IssueGroups> {
    const rows = await this.repository.groups(organizationId, by, size, filtersOf(conditions, userId));
    const data = rows.map(({ groups: _groups, total: _total, ...group }) => group);
    return { data, groups: rows[0]?.groups ?? 0, total: rows[0]?.total ?? 0 };
  }

  /** How the organization does with the issues that match; throws as `Searches` does. */
  async metrics(
    { organizationId, userId }: OrganizationCaller,
    { weeks, ...conditions }: IssueMetricsFilter,
  ): Promise<IssueMetrics> {
    const from = new Date(Date.now() - (weeks - 1) * weekMs).toISOString();
    const buckets = bucketsOf({ from }, 'week', weeks);
    const rows = await this.repository.metrics(organizationId, buckets.starts, filtersOf(conditions, userId));
    const none = { fixed: 0, medianDays: null, ninetiethDays: null };
    const noneWaiting = { open: 0, overdue: 0, upTo7Days: 0, upTo30Days: 0, upTo90Days: 0, older: 0 };
    return {
      timeToFix: issueSeverities.map(
        (severity) => rows.timeToFix.find((row) => row.severity === severity) ?? { severity, ...none },
      ),
      waiting: issueSeverities.map(
        (severity) => rows.waiting.find((row) => row.severity === severity) ?? { severity, ...noneWaiting },
      ),
      weeks: inBuckets(buckets, rows.weeks, (at, [week]) => ({
        at,
        opened: week?.opened ?? 0,
        closed: week?.closed ?? 0,
      })),
    };
  }
}
