import type { ImportedIssue } from '../../../../src/scanning/reports/reports.dto.js';

export type Severity = ImportedIssue['severity'];

const all: Record<Severity, true> = { CRITICAL: true, HIGH: true, MEDIUM: true, LOW: true, INFO: true };

/** From the worst down. */
export const severities = Object.keys(all) as Severity[];
