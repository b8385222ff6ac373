import { IntegerField } from '../platform/validation/fields.js';
import { issueSeverities, type IssueSeverity } from './vocabulary.js';

/** How many issues have each severity. */
export class IssuesBySeverity implements Record<IssueSeverity, number> {
  @IntegerField({ min: 0 })
  CRITICAL: number;
  @IntegerField({ min: 0 })
  HIGH: number;
  @IntegerField({ min: 0 })
  MEDIUM: number;
  @IntegerField({ min: 0 })
  LOW: number;
  @IntegerField({ min: 0 })
  INFO: number;
}

/** How many there are of a severity. */
export interface SeverityCount {
  severity: IssueSeverity;
  count: number;
}

/** The sums of counts by severity, zeros included. */
export function bySeverity(counts: readonly SeverityCount[]): IssuesBySeverity {
  const sums = Object.fromEntries(issueSeverities.map((severity) => [severity, 0])) as Record<IssueSeverity, number>;
  for (const { severity, count } of counts) sums[severity] += count;
  return sums;
}
