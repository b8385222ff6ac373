import { Injectable } from '@nestjs/common';
import { found } from '../../platform/errors/errors.js';
import { bySeverity } from '../issues-by-severity.js';
import { type ComparedIssues, ScanIssuesRepository, type ScanOutcome } from './scan-issues.repository.js';
import type { ScanIssueGroup, ScanIssues } from './scan-issues.dto.js';

// Unspecified: how many issues of each outcome are listed; all are counted.
const most = 100;

/** Compares the results of a scan with the scans before it. */
@Injectable()
export class ScanIssuesService {
  constructor(private readonly repository: ScanIssuesRepository) {}

  /** The issues of a scan by their outcome in it; `NotFound` where the organization has no such scan. */
  async get(organizationId: string, scanId: string): Promise<ScanIssues> {
    const compared = found(await this.repository.compared(organizationId, scanId, most), 'Scan');
    return {
      previous: compared.previous,
      created: groupOf('CREATED', compared),
      seen: groupOf('SEEN', compared),
      gone: compared.isWhole ? groupOf('GONE', compared) : null,
    };
  }
}

function groupOf(outcome: ScanOutcome, { counts, issues }: ComparedIssues): ScanIssueGroup {
  const own = counts.filter((count) => count.outcome === outcome);
  return {
    total: own.reduce((sum, { count }) => sum + count, 0),
    bySeverity: bySeverity(own),
    issues: issues.filter((issue) => issue.outcome === outcome).map(({ outcome: _outcome, ...issue }) => issue),
  };
}
