import { Injectable } from '@nestjs/common';
import { Searches } from '../../database/searches.js';
import type { IssueSeverity } from '../vocabulary.js';
import { comparedIssues } from './scan-issues.statements.js';
import type { ComparedScan, ScanIssue } from './scan-issues.dto.js';

export type ScanOutcome = 'CREATED' | 'SEEN' | 'GONE';

/** A scan's issues, and whether its report is complete. */
export interface ComparedIssues {
  previous: ComparedScan | null;
  isWhole: boolean;
  counts: { outcome: ScanOutcome; severity: IssueSeverity; count: number }[];
  issues: (ScanIssue & { outcome: ScanOutcome })[];
}

@Injectable()
export class ScanIssuesRepository {
  constructor(private readonly searches: Searches) {}

  /** Compares a scan with those before it; lists `atMost` of each outcome. Null if there is no such scan. */
  async compared(organizationId: string, scanId: string, atMost: number): Promise<ComparedIssues | null> {
    const values = [organizationId, scanId, atMost];
    const rows = await this.searches.rows<ComparedIssues & Record<string, unknown>>(
      organizationId,
      comparedIssues,
      values,
    );
    return rows[0] ?? null;
  }
}
